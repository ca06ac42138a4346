import { fixture } from "../fixture.ts";
import { takenByLink } from "./taken-slug.ts";

export default fixture("links.create", {
  access: "anyone",
  input: () => ({ url: "https://example.com/" }),
  dependentFields: ["domain"],
  refusals: {
    400: [
      {
        fields: { url: "javascript:alert(1)" },
        error: "url: must be an absolute http:// or https:// URL",
      },
    ],
    409: [takenByLink],
  },
});
