import { fixture } from "../../fixture.ts";

export default fixture("tags.delete", {
  access: "account",
  uses: ["tag"],
  input: ({ tag }) => ({ id: tag }),
});
