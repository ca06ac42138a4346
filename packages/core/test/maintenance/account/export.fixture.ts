import { fixture } from "../../fixture.ts";

export default fixture("account.export", { access: "account" });
