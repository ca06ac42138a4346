import { fixture } from "../../fixture.ts";

export default fixture("buckets.delete", {
  access: "account",
  uses: ["bucket"],
  input: ({ bucket }) => ({ id: bucket }),
});
