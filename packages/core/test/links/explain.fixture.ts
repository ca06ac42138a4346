import { fixture } from "../fixture.ts";

export default fixture("links.explain", {
  access: "account",
  uses: ["link"],
  input: ({ link }) => ({ id: link, country: "DE", at: "2031-01-31T12:00:00Z", unlocked: true }),
  refusals: {
    400: [
      { fields: { country: "XX" }, error: "country: must be an ISO 3166-1 alpha-2 country code, such as DE" },
    ],
  },
});
