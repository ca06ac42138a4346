import { fixture } from "../../fixture.ts";

export default fixture("sharedReports.update", {
  access: "pro",
  uses: ["sharedReport"],
  input: ({ sharedReport }) => ({ id: sharedReport, active: false }),
  dependentFields: ["expires_at"],
  limitedFields: { password: "correct horse" },
  refusals: { 400: [{ fields: { name: "" }, error: "name: must not be empty" }] },
});
