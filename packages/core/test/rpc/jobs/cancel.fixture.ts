import { fixture } from "../../fixture.ts";

export default fixture("jobs.cancel", {
  access: "account",
  uses: ["job"],
  input: ({ job }) => ({ id: job }),
});
