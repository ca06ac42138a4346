import { fixture } from "../../fixture.ts";

export default fixture("sessions.end", {
  access: "account",
  uses: ["session"],
  input: ({ session }) => ({ id: session }),
});
