import { fixture } from "../../fixture.ts";

export default fixture("keys.delete", {
  access: "enterprise",
  uses: ["key"],
  input: ({ key }) => ({ id: key }),
});
