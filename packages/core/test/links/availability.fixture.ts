import { fixture } from "../fixture.ts";

export default fixture("links.availability", {
  access: "account",
  isAboutAll: true,
  dependentFields: ["domain"],
  input: () => ({ slug: "launch" }),
  refusals: {
    400: [
      {
        fields: { domain: "not-mine.example.com" },
        error: /^domain: must be a verified custom domain of this account/,
      },
    ],
  },
});
