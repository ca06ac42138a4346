import { fixture } from "../../fixture.ts";

export default fixture("webhooks.get", {
  access: "account",
  uses: ["webhook"],
  input: ({ webhook }) => ({ id: webhook }),
});
