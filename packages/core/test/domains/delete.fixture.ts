import { fixture } from "../fixtures.ts";

export default fixture("domains.delete", {
  access: "account",
  uses: ["domain"],
  input: ({ domain }) => ({ id: domain }),
});
