import { fixture } from "../fixtures.ts";

export default fixture("identities.list", { access: "account" });
