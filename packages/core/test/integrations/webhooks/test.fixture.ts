import { fixture } from "../../fixture.ts";

export default fixture("webhooks.test", {
  access: "pro",
  uses: ["webhook"],
  input: ({ webhook }) => ({ id: webhook }),
});
