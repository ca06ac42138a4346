import { fixture, unknownId } from "../fixture.ts";

export default fixture("links.bulkDelete", {
  access: "account",
  dependentFields: ["filter"],
  input: () => ({ ids: [unknownId] }),
  refusals: {
    400: [
      { fields: { ids: Array(1001).fill(unknownId) }, error: "ids: must have 1 to 1000 links" },
      { fields: { ids: undefined }, error: "ids: send either ids or a filter" },
      {
        fields: { ids: undefined, filter: { sort: "slug" } },
        error: /^filter: sort: no such field; the known ones are search, domain, state, /,
      },
    ],
  },
});
