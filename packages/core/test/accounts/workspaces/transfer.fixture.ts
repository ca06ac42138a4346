import { fixture } from "../../fixture.ts";

export default fixture("workspaces.transfer", {
  access: "account",
  uses: ["workspace", "member"],
  input: ({ workspace, member }) => ({ id: workspace, user_id: member }),
  dependentFields: ["user_id"],
  refusals: { 400: [{ fields: { user: 1 }, error: /^user: no such field/ }] },
});
