import { fixture } from "../../fixture.ts";
import { png } from "@terse/testkit/png";

export default fixture("buckets.setAvatar", {
  access: "pro",
  uses: ["bucket"],
  input: ({ bucket }) => ({ id: bucket, image: png(4, 4).toString("base64") }),
  refusals: { 400: [{ fields: { image: "AAAA" }, error: "image: must be a PNG, JPEG or WebP image" }] },
});
