import { fixture } from "../../fixture.ts";

export default fixture("webhooks.deliveries", {
  access: "account",
  uses: ["webhook"],
  input: ({ webhook }) => ({ id: webhook }),
  refusals: { 400: [{ fields: { limit: 0 }, error: "limit: must be a whole number from 1 to 100" }] },
});
