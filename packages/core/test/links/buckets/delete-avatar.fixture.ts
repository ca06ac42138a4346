import { fixture } from "../../fixture.ts";

export default fixture("buckets.deleteAvatar", {
  access: "account",
  uses: ["bucket"],
  input: ({ bucket }) => ({ id: bucket }),
});
