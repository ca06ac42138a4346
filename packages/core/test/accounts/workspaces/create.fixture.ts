import { fixture } from "../../fixture.ts";

export default fixture("workspaces.create", {
  access: "account",
  input: () => ({ name: "Acme" }),
  dependentFields: ["slug"],
  refusals: {
    400: [
      { fields: { name: " " }, error: "name: must not be empty" },
      { fields: { slug: "personal" }, error: "slug: is reserved" },
      { fields: { slug: "-a" }, error: /^slug: must have 1 to 40 lower-case letters/ },
    ],
    409: [
      {
        async fields({ another }) {
          const { slug } = await (await another()).workspaces.create({ name: "Taken", slug: "taken" });
          return { slug };
        },
        error: "slug: is taken by another workspace: choose another one",
      },
    ],
  },
});
