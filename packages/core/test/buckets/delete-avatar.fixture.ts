import { fixture } from "../fixtures.ts";

export default fixture("buckets.deleteAvatar", {
  access: "account",
  uses: ["bucket"],
  input: ({ bucket }) => ({ id: bucket }),
});
