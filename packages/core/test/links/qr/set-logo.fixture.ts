import { png } from "@terse/testkit/png";
import { fixture } from "../../fixture.ts";

export default fixture("links.setQrLogo", {
  access: "account",
  input: () => ({ image: png(4, 4).toString("base64") }),
  refusals: { 400: [{ fields: { image: "AAAA" }, error: "image: must be a PNG, JPEG or WebP image" }] },
});
