import { fixture } from "../fixture.ts";

export default fixture("domains.get", {
  access: "account",
  uses: ["domain"],
  input: ({ domain }) => ({ id: domain }),
});
