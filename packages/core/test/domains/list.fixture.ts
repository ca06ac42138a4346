import { fixture } from "../fixture.ts";

export default fixture("domains.list", {
  access: "pro",
  refusals: { 400: [{ fields: { page: 2 }, error: "page: no such field" }] },
});
