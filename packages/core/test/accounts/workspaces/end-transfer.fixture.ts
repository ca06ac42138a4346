import { fixture } from "../../fixture.ts";

export default fixture("workspaces.endTransfer", {
  access: "account",
  uses: ["offer"],
  input: ({ offer }) => ({ id: offer }),
});
