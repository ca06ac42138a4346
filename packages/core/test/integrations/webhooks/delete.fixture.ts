import { fixture } from "../../fixture.ts";

export default fixture("webhooks.delete", {
  access: "account",
  uses: ["webhook"],
  input: ({ webhook }) => ({ id: webhook }),
});
