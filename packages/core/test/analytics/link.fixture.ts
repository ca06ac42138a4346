import { fixture } from "../fixture.ts";

export default fixture("analytics.link", {
  access: "account",
  uses: ["link"],
  input: ({ link }) => ({ id: link, period: "24h", compare: true, tz: "Asia/Kathmandu" }),
  dependentFields: ["to"],
  refusals: {
    400: [
      {
        fields: { tz: "+05:30" },
        error: "tz: must be the name of a time zone in the IANA database, such as UTC or Europe/Berlin",
      },
    ],
  },
});
