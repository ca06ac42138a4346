import { fixture } from "../../fixture.ts";

export default fixture("workspaces.acceptTransfer", {
  access: "account",
  uses: ["offer"],
  input: ({ offer }) => ({ id: offer }),
});
