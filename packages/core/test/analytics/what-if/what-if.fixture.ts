import { fixture } from "../../fixture.ts";

export default fixture("analytics.whatIf", {
  access: "account",
  uses: ["link"],
  input: ({ link }) => ({
    id: link,
    period: "7d",
    tz: "Europe/Berlin",
    draft: { destination: "https://example.com/other" },
  }),
  refusals: {
    400: [
      { fields: { draft: { destination: "ftp://example.com/" } }, error: /^draft\.destination: / },
      { fields: { period: "2d" }, error: /^period: / },
    ],
  },
});
