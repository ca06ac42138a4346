import { fixture } from "../fixture.ts";

export default fixture("jobs.result", {
  access: "account",
  uses: ["job"],
  input: ({ job }) => ({ id: job }),
});
