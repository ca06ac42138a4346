import { fixture } from "../../fixture.ts";

export default fixture("users.me", {
  access: "account",
});
