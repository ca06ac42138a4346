import { fixture, unknownId } from "../fixtures.ts";

export default fixture("links.bulkUpdate", {
  access: "account",
  input: () => ({ ids: [unknownId], set: { title: "Changed" } }),
  refusals: {
    400: [
      { fields: { ids: [] }, error: "ids: must have 1 to 1000 links" },
      {
        fields: { set: { slug: "one-for-all" } },
        error: /^set: slug: no such field; the known ones are url, title, is_active, /,
      },
    ],
  },
});
