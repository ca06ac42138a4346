import { fixture } from "../../fixture.ts";

export default fixture("alerts.create", {
  access: "pro",
  uses: ["link"],
  input: ({ link }) => ({ kind: "surge", factor: 3, link_id: link }),
  dependentFields: ["kind", "hours", "factor", "tag", "link_id"],
  refusals: {
    400: [
      { fields: { tag: "launch" }, error: "tag: cannot be combined with link_id" },
      { fields: { kind: "silence" }, error: "factor: does not apply to the kind silence" },
      { fields: { factor: 1 }, error: "factor: must be at least 1.5" },
    ],
  },
});
