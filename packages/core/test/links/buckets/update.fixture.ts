import { fixture } from "../../fixture.ts";
import { takenByLink } from "../taken-slug.ts";

export default fixture("buckets.update", {
  access: "pro",
  uses: ["bucket"],
  input: ({ bucket }) => ({ id: bucket, name: "Changed" }),
  refusals: {
    400: [{ fields: { name: " " }, error: "name: must not be empty" }],
    409: [takenByLink],
  },
});
