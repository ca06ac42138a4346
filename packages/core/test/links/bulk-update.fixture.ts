import { fixture, unknownId } from "../fixture.ts";

export default fixture("links.bulkUpdate", {
  access: "account",
  dependentFields: ["filter"],
  input: () => ({ ids: [unknownId], set: { title: "Changed" } }),
  refusals: {
    400: [
      { fields: { filter: {} }, error: "ids: send either ids or a filter" },
      { fields: { ids: [] }, error: "ids: must have 1 to 1000 links" },
      {
        fields: { set: { slug: "one-for-all" } },
        error: /^set: slug: no such field; the known ones are url, title, is_active, /,
      },
    ],
  },
});
