import { fixture } from "../fixture.ts";

export default fixture("analytics.dailyStats", {
  access: "account",
  uses: ["link"],
  input: ({ link }) => ({ id: link, from: "2026-03-28", to: "2026-03-30" }),
  refusals: { 400: [{ fields: { to: "2026-03-27" }, error: "to: must not be before from" }] },
});
