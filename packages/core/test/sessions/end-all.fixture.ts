import { fixture } from "../fixtures.ts";

export default fixture("sessions.endAll", {
  access: "account",
});
