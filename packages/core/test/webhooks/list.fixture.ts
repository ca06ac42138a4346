import { fixture } from "../fixtures.ts";

export default fixture("webhooks.list", {
  access: "account",
});
