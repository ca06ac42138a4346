import { fixture } from "../../fixtures.ts";

export default fixture("links.qr", {
  access: "account",
  uses: ["link"],
  input: ({ link }) => ({ id: link, size: 300, color: "#036", level: "Q" }),
  refusals: { 400: [{ fields: { level: "X" }, error: "level: must be one of L, M, Q, H" }] },
});
