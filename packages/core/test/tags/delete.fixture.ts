import { fixture } from "../fixtures.ts";

export default fixture("tags.delete", {
  access: "account",
  uses: ["tag"],
  input: ({ tag }) => ({ id: tag }),
});
