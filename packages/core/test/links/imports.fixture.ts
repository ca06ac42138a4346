import { fixture } from "../fixture.ts";

export default fixture("imports.create", {
  access: "account",
  dependentFields: ["source", "domain", "columns"],
  input: () => ({ content: "url,slug\r\nhttps://example.com/,\r\n" }),
  refusals: {
    400: [
      { fields: { content: "name,age\r\nAda,36" }, error: /^content: no column has the links' destinations/ },
      { fields: { content: "{" }, error: /^content: is neither CSV nor valid JSON/ },
      { fields: { source: "bitly" }, error: /^content: does not have the columns of a file from bitly/ },
      {
        fields: { domain: "unknown.example" },
        error: /^domain: must be a verified custom domain of this account/,
      },
    ],
  },
});
