import { fixture, unknownId } from "../fixtures.ts";

export default fixture("tags.delete", {
  access: "account",
  uses: ["tag"],
  input: ({ tag }) => ({ id: tag }),
  refusals: { 404: [{ fields: { id: unknownId }, error: "Tag not found" }] },
});
