import { fixture } from "../../fixture.ts";

export default fixture("jobs.result", {
  access: "account",
  uses: ["job"],
  input: ({ job }) => ({ id: job }),
  refusals: { 400: [{ fields: { bom: "perhaps" }, error: "bom: must be true or false" }] },
});
