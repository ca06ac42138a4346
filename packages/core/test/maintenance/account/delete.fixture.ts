import { fixture } from "../../fixture.ts";

export default fixture("account.delete", { access: "account" });
