import { fixture } from "../../fixture.ts";

export default fixture("webhooks.rotate", {
  access: "pro",
  uses: ["webhook"],
  input: ({ webhook }) => ({ id: webhook, overlap_hours: 1 }),
  refusals: {
    400: [{ fields: { overlap_hours: 169 }, error: "overlap_hours: must be a whole number from 0 to 168" }],
  },
});
