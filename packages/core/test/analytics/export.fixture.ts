import { fixture } from "../fixture.ts";

export default fixture("analytics.export", {
  access: "pro",
  input: () => ({ format: "json", from: "2026-01-01", tz: "UTC", os: "!iOS" }),
  dependentFields: ["to"],
  refusals: { 400: [{ fields: { format: "xml" }, error: "format: must be one of csv, json, parquet" }] },
});
