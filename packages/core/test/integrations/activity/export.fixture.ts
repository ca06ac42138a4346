import { fixture } from "../../fixture.ts";

export default fixture("audit.export", {
  access: "account",
  input: () => ({ format: "json" }),
  refusals: {
    400: [{ fields: { format: "xml" }, error: "format: must be one of csv, json" }],
  },
});
