import { fixture } from "../../fixture.ts";

export default fixture("workspaces.delete", {
  access: "account",
  uses: ["workspace"],
  input: ({ workspace }) => ({ id: workspace }),
});
