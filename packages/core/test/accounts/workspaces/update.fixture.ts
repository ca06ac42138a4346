import { fixture } from "../../fixture.ts";

export default fixture("workspaces.update", {
  access: "account",
  uses: ["workspace"],
  input: ({ workspace }) => ({ id: workspace, name: "Acme" }),
  dependentFields: ["slug", "join_domains"],
  refusals: {
    400: [
      {
        fields: { join_domains: [{ domain: "gmail.com", role: "viewer" }] },
        error: "join_domains.0.domain: is a public mail service, whose addresses anyone can get",
      },
      {
        fields: { join_domains: [{ domain: "a b", role: "viewer" }] },
        error: "join_domains.0.domain: is not a domain",
      },
      { fields: { name: "" }, error: "name: must not be empty" },
    ],
    409: [
      {
        async fields({ another }) {
          const { slug } = await (await another()).workspaces.create({ name: "Taken", slug: "taken-too" });
          return { slug };
        },
        error: "slug: is taken by another workspace: choose another one",
      },
    ],
  },
});
