import { fixture } from "../../fixture.ts";

export default fixture("preferences.get", { access: "account" });
