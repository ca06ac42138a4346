import { fixture } from "../fixtures.ts";

export default fixture("links.delete", {
  access: "account",
  uses: ["link"],
  input: ({ link }) => ({ id: link }),
});
