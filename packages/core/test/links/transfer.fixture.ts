import { fixture, unknownId } from "../fixture.ts";

export default fixture("links.transfer", {
  access: "account",
  uses: ["workspace"],
  input: ({ workspace }) => ({ ids: [unknownId], workspace }),
  dependentFields: ["filter", "workspace"],
  refusals: {
    400: [
      { fields: { ids: undefined }, error: "ids: send either ids or a filter" },
      {
        fields: ({ own }) => ({ workspace: own.workspace.id, ids: Array(1001).fill(unknownId) }),
        error: "ids: must have 1 to 1000 links",
      },
    ],
    404: [{ fields: { workspace: unknownId }, error: "Workspace not found" }],
  },
});
