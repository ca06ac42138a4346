import { fixture, unknownId } from "../../fixture.ts";

export default fixture("preferences.update", {
  access: "account",
  uses: ["tag"],
  input: ({ tag }) => ({
    reports: { frequency: "weekly", tags: [tag] },
    notices: false,
    time_zone: "Europe/Berlin",
  }),
  dependentFields: ["reports"],
  refusals: {
    400: [
      {
        fields: { reports: { frequency: "daily" } },
        error: "reports.frequency: must be one of never, weekly, monthly",
      },
      {
        fields: { reports: { workspaces: Array.from({ length: 21 }, () => unknownId) } },
        error: "reports.workspaces: must have at most 20 ids",
      },
      {
        fields: { time_zone: "Mars/Base" },
        error: /^time_zone: must be the name of a time zone in the IANA database/,
      },
      { fields: { notices: "no" }, error: "notices: must be true or false" },
    ],
    404: [
      { fields: { reports: { workspaces: [unknownId] } }, error: "Workspace not found" },
      { fields: { reports: { tags: [unknownId, "nonsense"] } }, error: "Tag not found" },
    ],
  },
});
