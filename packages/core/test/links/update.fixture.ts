import { fixture } from "../fixture.ts";
import { takenByLink } from "./taken-slug.ts";

export default fixture("links.update", {
  access: "account",
  uses: ["link"],
  dependentFields: ["created_by"],
  input: ({ link }) => ({ id: link, title: "Changed" }),
  limitedFields: { password: "swordfish" },
  refusals: {
    400: [
      {
        fields: { url: "https://user:secret@example.com/" },
        error: "url: must not contain a user name or password",
      },
      { fields: { slug: null }, error: "slug: expected string, received null" },
    ],
    409: [takenByLink],
  },
});
