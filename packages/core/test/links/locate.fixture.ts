import { fixture } from "../fixture.ts";

export default fixture("links.locate", {
  access: "account",
  uses: ["link"],
  dependentFields: ["id"],
  input: ({ link }) => ({ id: link }),
  refusals: { 400: [{ fields: { id: "x".repeat(4097) }, error: "id: must have at most 4096 characters" }] },
});
