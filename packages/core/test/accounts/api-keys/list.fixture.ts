import { fixture } from "../../fixture.ts";

export default fixture("keys.list", {
  access: "enterprise",
  refusals: { 400: [{ fields: { page: 2 }, error: "page: no such field" }] },
});
