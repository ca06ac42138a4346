import { fixture } from "../fixtures.ts";

export default fixture("users.profile", {
  access: "account",
});
