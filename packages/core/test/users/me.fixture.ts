import { fixture } from "../fixtures.ts";

export default fixture("users.me", {
  access: "account",
});
