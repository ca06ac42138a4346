import { fixture } from "../../fixture.ts";

export default fixture("webhooks.update", {
  access: "pro",
  uses: ["webhook"],
  input: ({ webhook }) => ({ id: webhook, active: true }),
  refusals: {
    400: [{ fields: { url: "http://example.com/hooks" }, error: "url: must be an https:// URL" }],
  },
});
