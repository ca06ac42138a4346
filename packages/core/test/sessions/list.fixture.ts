import { fixture } from "../fixtures.ts";

export default fixture("sessions.list", {
  access: "account",
});
