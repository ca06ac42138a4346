import { fixture } from "../../fixture.ts";

export default fixture("workspaces.join", {
  access: "account",
  uses: ["joinable"],
  input: ({ joinable }) => ({ id: joinable }),
});
