import { fixture } from "../fixture.ts";

export default fixture("links.bulkCreate", {
  access: "account",
  input: () => ({ links: [{ url: "https://example.com/" }], on_error: "continue" }),
  refusals: {
    400: [
      { fields: { links: [] }, error: "links: must have 1 to 1000 links" },
      { fields: { on_error: "ignore" }, error: "on_error: must be one of continue, stop" },
    ],
  },
});
