import { fixture } from "../../fixture.ts";

export default fixture("connections.delete", {
  access: "account",
  uses: ["connection"],
  input: ({ connection }) => ({ id: connection }),
});
