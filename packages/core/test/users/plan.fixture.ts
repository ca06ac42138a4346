import { fixture } from "../fixtures.ts";

export default fixture("users.plan", {
  access: "account",
  figuresOnly: true,
});
