import { fixture } from "../../fixture.ts";

export default fixture("workspaces.get", {
  access: "account",
  uses: ["workspace"],
  input: ({ workspace }) => ({ id: workspace }),
});
