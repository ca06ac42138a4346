import { fixture } from "../fixture.ts";

export default fixture("links.get", {
  access: "account",
  uses: ["link"],
  input: ({ link }) => ({ id: link }),
});
