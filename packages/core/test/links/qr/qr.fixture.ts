import { fixture } from "../../fixture.ts";

export default fixture("links.qr", {
  access: "account",
  uses: ["link"],
  // Needs a logo of the account.
  dependentFields: ["logo"],
  input: ({ link }) => ({ id: link, size: 300, color: "#036", level: "Q", dots: "rounded", eyes: "circle" }),
  limitedFields: { format: "png" },
  refusals: {
    400: [
      { fields: { level: "X" }, error: "level: must be one of L, M, Q, H" },
      { fields: { logo: true }, error: "logo: the account has none; upload one with PUT /v1/me/qr-logo" },
    ],
  },
});
