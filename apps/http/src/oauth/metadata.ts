import type { Resources } from "./resources.ts";

/** The part that OAuth clients read; the library adds what only those of OpenID Connect need. */
const fields = [
  "issuer",
  "authorization_endpoint",
  "token_endpoint",
  "registration_endpoint",
  "revocation_endpoint",
  "device_authorization_endpoint",
  "grant_types_supported",
  "token_endpoint_auth_methods_supported",
  "code_challenge_methods_supported",
  "authorization_response_iss_parameter_supported",
  "client_id_metadata_document_supported",
];

/**
 * The metadata of the authorization server (RFC 8414): the library's own, as far as we use it. A program that knows only
 * BASE_URL finds the MCP server in `protected_resources` (RFC 9728 section 4).
 */
export function metadataOf(all: Record<string, unknown>, resources: Resources) {
  return {
    ...Object.fromEntries(fields.map((name) => [name, all[name]])),
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    revocation_endpoint_auth_methods_supported: all["token_endpoint_auth_methods_supported"],
    scopes_supported: resources.api.scopes,
    protected_resources: resources.all.map(({ address }) => address),
    service_documentation: `${String(all["issuer"])}/docs`,
  };
}
