import { fixture } from "../fixtures.ts";

export default fixture("sessions.end", {
  access: "account",
  uses: ["session"],
  input: ({ session }) => ({ id: session }),
});
