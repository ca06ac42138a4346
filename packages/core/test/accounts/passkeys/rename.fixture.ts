import { fixture } from "../../fixture.ts";

export default fixture("passkeys.rename", {
  access: "account",
  uses: ["passkey"],
  input: ({ passkey }) => ({ id: passkey, name: "Phone" }),
  refusals: {
    400: [
      { fields: { name: " " }, error: "name: must not be empty" },
      { fields: { name: "x".repeat(101) }, error: "name: must have at most 100 characters" },
      { fields: { counter: 1 }, error: "counter: no such field; the known ones are id, name" },
    ],
  },
});
