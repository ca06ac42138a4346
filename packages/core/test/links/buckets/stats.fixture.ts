import { fixture } from "../../fixture.ts";

export default fixture("buckets.stats", {
  access: "pro",
  uses: ["bucket"],
  input: ({ bucket }) => ({ id: bucket }),
});
