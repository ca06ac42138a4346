import { fixture } from "../fixture.ts";

export default fixture("analytics.overview", {
  access: "account",
  lockedFor: "free",
  uses: ["link"],
  input: ({ link }) => ({
    period: "7d",
    compare: true,
    tz: "Europe/Berlin",
    linkId: link,
    group_by: "country,device",
  }),
  dependentFields: ["linkId", "to"],
  refusals: {
    400: [{ fields: { period: "2w" }, error: "period: must be one of 24h, 7d, 30d, 90d, 1y, all" }],
  },
});
