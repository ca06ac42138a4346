import { fixture } from "../../fixture.ts";

export default fixture("users.plan", {
  access: "account",
  figuresOnly: true,
});
