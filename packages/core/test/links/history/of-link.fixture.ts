import { fixture } from "../../fixture.ts";

export default fixture("links.history", {
  access: "account",
  uses: ["link"],
  input: ({ link }) => ({ id: link }),
  refusals: { 400: [{ fields: { limit: 0 }, error: "limit: must be a whole number from 1 to 100" }] },
});
