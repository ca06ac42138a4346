import { fixture } from "../fixture.ts";

export default fixture("links.explainDraft", {
  access: "account",
  uses: ["link"],
  dependentFields: ["id"],
  input: ({ link }) => ({
    id: link,
    draft: { url: "https://example.com/", is_active: 1 },
    visits: [{ country: "DE" }, { at: "2031-01-31T12:00:00Z" }],
  }),
  refusals: {
    400: [
      {
        fields: { draft: { url: "ftp://example.com/" } },
        error: /^draft\.url: /,
      },
      {
        fields: { visits: [{ country: "XX" }] },
        error: "visits.0.country: must be an ISO 3166-1 alpha-2 country code, such as DE",
      },
    ],
  },
});
