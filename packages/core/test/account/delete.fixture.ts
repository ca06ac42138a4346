import { fixture } from "../fixtures.ts";

export default fixture("account.delete", { access: "account" });
