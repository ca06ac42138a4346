import { fixture } from "../../fixture.ts";

export default fixture("members.list", {
  access: "account",
  hasOneself: true,
  refusals: { 400: [{ fields: { page: 2 }, error: "page: no such field" }] },
});
