import { fixture } from "../fixtures.ts";

export default fixture("domains.get", {
  access: "account",
  uses: ["domain"],
  input: ({ domain }) => ({ id: domain }),
});
