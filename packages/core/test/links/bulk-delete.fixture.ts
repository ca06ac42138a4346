import { fixture, unknownId } from "../fixtures.ts";

export default fixture("links.bulkDelete", {
  access: "account",
  input: () => ({ ids: [unknownId] }),
  refusals: {
    400: [{ fields: { ids: Array(1001).fill(unknownId) }, error: "ids: must have 1 to 1000 links" }],
  },
});
