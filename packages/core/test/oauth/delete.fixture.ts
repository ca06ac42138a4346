import { fixture } from "../fixtures.ts";

export default fixture("connections.delete", {
  access: "account",
  uses: ["connection"],
  input: ({ connection }) => ({ id: connection }),
});
