import { fixture } from "../fixtures.ts";

export default fixture("domains.list", {
  access: "pro",
});
