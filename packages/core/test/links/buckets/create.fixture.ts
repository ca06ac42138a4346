import { fixture } from "../../fixture.ts";
import { takenByBucket, takenByLink } from "../taken-slug.ts";

export default fixture("buckets.create", {
  access: "pro",
  input: () => ({ name: "A page", links: [{ title: "A link", url: "https://example.com/" }] }),
  refusals: {
    400: [{ fields: { links: [] }, error: "links: must have at least one link" }],
    409: [takenByLink, takenByBucket],
  },
});
