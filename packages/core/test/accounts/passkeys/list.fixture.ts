import { fixture } from "../../fixture.ts";

export default fixture("passkeys.list", {
  access: "account",
  refusals: { 400: [{ fields: { page: 2 }, error: "page: no such field" }] },
});
