import { fixture } from "../../fixture.ts";

export default fixture("sharedReports.delete", {
  access: "account",
  uses: ["sharedReport"],
  input: ({ sharedReport }) => ({ id: sharedReport }),
});
