import { fixture } from "../fixture.ts";

export default fixture("domains.delete", {
  access: "account",
  uses: ["domain"],
  input: ({ domain }) => ({ id: domain }),
});
