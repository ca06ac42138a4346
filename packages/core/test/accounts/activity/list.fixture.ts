import { fixture } from "../../fixture.ts";

export default fixture("activity.list", {
  access: "account",
  input: () => ({ page: 1, limit: 10 }),
  refusals: { 400: [{ fields: { limit: 0 }, error: "limit: must be a whole number from 1 to 100" }] },
});
