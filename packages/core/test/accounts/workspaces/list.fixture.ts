import { fixture } from "../../fixture.ts";

export default fixture("workspaces.list", {
  access: "account",
  hasOneself: true,
  refusals: { 400: [{ fields: { joinable: "perhaps" }, error: /^joinable: / }] },
});
