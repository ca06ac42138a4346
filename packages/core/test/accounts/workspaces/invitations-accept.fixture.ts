import { fixture } from "../../fixture.ts";

export default fixture("invitations.accept", {
  access: "account",
  uses: ["token"],
  input: ({ token }) => ({ token }),
  dependentFields: ["token"],
  refusals: { 400: [{ fields: { token: "x".repeat(201) }, error: /^token: must have at most 200/ }] },
});
