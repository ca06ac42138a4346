import { fixture } from "../fixtures.ts";

export default fixture("tags.list", { access: "account" });
