import { fixture } from "../fixtures.ts";

export default fixture("keys.listOwn", {
  access: "account",
});
