import { fixture } from "../fixtures.ts";

export default fixture("analytics.export", {
  access: "pro",
  input: () => ({ format: "json", period: "all", tz: "UTC" }),
  refusals: { 400: [{ fields: { format: "xml" }, error: "format: must be one of csv, json" }] },
});
