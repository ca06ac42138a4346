import { fixture } from "../fixtures.ts";

export default fixture("keys.list", {
  access: "enterprise",
});
