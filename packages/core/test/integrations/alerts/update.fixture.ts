import { fixture } from "../../fixture.ts";

export default fixture("alerts.update", {
  access: "pro",
  uses: ["alert"],
  input: ({ alert }) => ({ id: alert, hours: 48 }),
  dependentFields: ["factor"],
  refusals: { 400: [{ fields: { factor: 2 }, error: "factor: does not apply to the kind silence" }] },
});
