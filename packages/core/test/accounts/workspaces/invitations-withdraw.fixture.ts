import { fixture } from "../../fixture.ts";

export default fixture("invitations.withdraw", {
  access: "account",
  uses: ["invitation"],
  input: ({ invitation }) => ({ id: invitation }),
});
