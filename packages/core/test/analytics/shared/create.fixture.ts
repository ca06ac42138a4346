import { fixture } from "../../fixture.ts";

export default fixture("sharedReports.create", {
  access: "pro",
  uses: ["link"],
  input: ({ link }) => ({ link_id: link, name: "A report", password: "correct horse" }),
  dependentFields: ["link_id", "tag", "expires_at"],
  refusals: {
    400: [
      { fields: { tag: "launch" }, error: "tag: cannot be combined with link_id" },
      { fields: { name: " " }, error: "name: must not be empty" },
      { fields: { password: "abc" }, error: "password: must have at least 4 characters" },
      {
        fields: { expires_at: "2026-01-01T00:00:00Z" },
        error: "expires_at: must be within the next 366 days",
      },
    ],
  },
});
