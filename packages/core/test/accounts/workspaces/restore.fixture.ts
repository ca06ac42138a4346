import { fixture } from "../../fixture.ts";

export default fixture("workspaces.restore", {
  access: "account",
  uses: ["workspace"],
  input: ({ workspace }) => ({ id: workspace }),
});
