/** Where the authorization server is, under BASE_URL. */
export const paths = {
  metadata: "/.well-known/oauth-authorization-server",
  authorize: "/oauth/authorize",
  token: "/oauth/token",
  revoke: "/oauth/revoke",
  register: "/oauth/register",
  device: "/oauth/device",
  consent: "/oauth/consent",
  /** Where people type the code that a device shows them */
  userCode: "/device",
};
