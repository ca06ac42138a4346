import { randomBytes } from "node:crypto";
import { fixture } from "../../fixture.ts";

export default fixture("tags.rename", {
  access: "account",
  uses: ["tag"],
  input: ({ tag }) => ({ id: tag, name: randomBytes(8).toString("hex") }),
  refusals: { 400: [{ fields: { name: " " }, error: "name: must have 1 to 50 characters" }] },
});
