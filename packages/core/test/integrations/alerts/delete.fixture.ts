import { fixture } from "../../fixture.ts";

export default fixture("alerts.delete", {
  access: "account",
  uses: ["alert"],
  input: ({ alert }) => ({ id: alert }),
});
