import { fixture } from "../../fixture.ts";

export default fixture("changes.list", {
  access: "account",
  input: () => ({ page: 1 }),
  refusals: { 400: [{ fields: { limit: 0 }, error: "limit: must be a whole number from 1 to 100" }] },
});
