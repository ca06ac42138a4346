import { fixture } from "../../fixture.ts";

export default fixture("keys.create", {
  access: "enterprise",
  input: () => ({ name: "build server", scopes: ["links:read"], expires_at: "2100-01-01T00:00:00Z" }),
  refusals: {
    400: [
      { fields: { name: "" }, error: "name: must not be empty" },
      { fields: { scopes: [] }, error: "scopes: must have at least one scope" },
      {
        fields: { scopes: ["links:delete"] },
        error:
          "scopes.0: must be one of links:read, links:write, analytics:read, domains, buckets, keys, account, webhooks, members",
      },
      { fields: { expires_at: "2020-01-01T00:00:00Z" }, error: "expires_at: must be in the future" },
      { fields: { expires_at: "tomorrow" }, error: /^expires_at: must be an ISO 8601 time with a zone/ },
    ],
  },
});
