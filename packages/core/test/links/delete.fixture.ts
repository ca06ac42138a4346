import { fixture } from "../fixture.ts";

export default fixture("links.delete", {
  access: "account",
  uses: ["link"],
  input: ({ link }) => ({ id: link }),
});
