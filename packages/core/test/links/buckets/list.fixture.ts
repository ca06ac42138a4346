import { fixture } from "../../fixture.ts";

export default fixture("buckets.list", {
  access: "pro",
  input: () => ({ page: 1, limit: 10 }),
  refusals: { 400: [{ fields: { limit: 101 }, error: "limit: must be a whole number from 1 to 100" }] },
});
