import { fixture } from "../fixtures.ts";

export default fixture("analytics.realtime", {
  access: "pro",
});
