import { fixture } from "../fixtures.ts";

export default fixture("keys.create", {
  access: "enterprise",
  input: () => ({ name: "build server" }),
  refusals: { 400: [{ fields: { name: "" }, error: "name: must not be empty" }] },
});
