import { fixture } from "../fixtures.ts";

export default fixture("activity.list", { access: "account" });
