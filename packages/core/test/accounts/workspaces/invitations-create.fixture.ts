import { fixture } from "../../fixture.ts";

export default fixture("invitations.create", {
  access: "account",
  input: () => ({ email: "ada@example.com", role: "viewer" }),
  dependentFields: ["email"],
  refusals: {
    400: [
      { fields: { email: "ada" }, error: "email: is not an e-mail address" },
      { fields: { role: "owner" }, error: /^role: / },
      { fields: { expires_in_days: 31 }, error: /^expires_in_days: / },
    ],
  },
});
