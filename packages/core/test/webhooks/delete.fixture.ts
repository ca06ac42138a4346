import { fixture } from "../fixtures.ts";

export default fixture("webhooks.delete", {
  access: "account",
  uses: ["webhook"],
  input: ({ webhook }) => ({ id: webhook }),
});
