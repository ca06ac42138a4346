import { fixture } from "../fixtures.ts";

export default fixture("account.export", { access: "account" });
