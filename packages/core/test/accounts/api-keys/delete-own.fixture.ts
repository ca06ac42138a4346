import { fixture } from "../../fixture.ts";

export default fixture("keys.deleteOwn", {
  access: "account",
  uses: ["key"],
  input: ({ key }) => ({ id: key }),
});
