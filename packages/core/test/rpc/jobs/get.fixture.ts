import { fixture } from "../../fixture.ts";

export default fixture("jobs.get", { access: "account", uses: ["job"], input: ({ job }) => ({ id: job }) });
