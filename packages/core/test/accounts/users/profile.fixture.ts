import { fixture } from "../../fixture.ts";

export default fixture("users.profile", {
  access: "account",
});
