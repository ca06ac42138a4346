import { fixture } from "../fixtures.ts";

export default fixture("links.locate", {
  access: "account",
  uses: ["link"],
  input: ({ link }) => ({ id: link }),
});
