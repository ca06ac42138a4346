import { fixture } from "../../fixture.ts";

export default fixture("buckets.get", {
  access: "pro",
  uses: ["bucket"],
  input: ({ bucket }) => ({ id: bucket }),
});
