import { fixture } from "../fixtures.ts";

export default fixture("webhooks.get", {
  access: "account",
  uses: ["webhook"],
  input: ({ webhook }) => ({ id: webhook }),
});
