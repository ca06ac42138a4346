import { fixture } from "../fixture.ts";

export default fixture("analytics.sparklines", {
  access: "account",
  lockedFor: "free",
  uses: ["link"],
  leavesOut: true,
  input: ({ link }) => ({ ids: [link] }),
  refusals: {
    400: [
      { fields: { ids: Array.from({ length: 101 }, () => "id") }, error: "ids: must name at most 100 links" },
    ],
  },
});
