/** A fault to put into the code, and the tests that have to notice it. */
export interface Fault {
  /** What is broken, in a few words */
  name: string;
  file: string;
  /** Occurs once in the file */
  search: string;
  replace: string;
  /** Test files, of which at least one must fail */
  tests: readonly string[];
}

const core = (path: string) => `packages/core/test/${path}.test.ts`;

export const faults: readonly Fault[] = [
  // Who may do what
  {
    name: "plans: a procedure forgets to ask for its feature",
    file: "packages/core/src/rpc/procedure.ts",
    search: "    demand(ctx.deps.plans, ctx.account.plan, feature);\n",
    replace: "",
    tests: [core("rpc/router")],
  },
  {
    name: "plans: Pro manages API keys",
    file: "packages/core/src/kernel/plans.ts",
    search: 'api_keys: apiKeysPlan === "pro" }',
    replace: "api_keys: true }",
    tests: [core("kernel/plans"), core("api-keys/api-keys")],
  },
  {
    name: "plans: Free sees analytics of all links",
    file: "packages/core/src/analytics/overview.ts",
    search: "if (!deps.plans[account.plan].features.analytics) return",
    replace: "if (false) return",
    tests: [core("analytics/analytics")],
  },
  {
    name: "plans: link options need no plan",
    file: "packages/core/src/links/create.ts",
    search: "    demandOptions(ctx, input);\n",
    replace: "",
    tests: [core("links/create")],
  },
  {
    name: "plans: any plan may use MCP",
    file: "apps/mcp/src/caller.ts",
    search: '  demand(core.plans, actor.account.plan, "mcp");\n',
    replace: "",
    tests: ["apps/mcp/test/security.test.ts"],
  },
  {
    name: "keys: scopes are not checked",
    file: "packages/core/src/rpc/procedure.ts",
    search: "  demandScope(ctx.actor, ...[meta?.scope ?? []].flat());\n",
    replace: "",
    tests: [core("rpc/router")],
  },
  {
    name: "keys: a limited key replaces a stronger one",
    file: "packages/core/src/api-keys/rotate.ts",
    search: "      refuseStronger(actor, { scopes, expires_at });\n",
    replace: "",
    tests: [core("api-keys/limits")],
  },
  {
    name: "keys: an old session creates keys",
    file: "packages/core/src/api-keys/create.ts",
    search: '    demandRecentSignIn(actor, deps.clock(), "create an API key");\n',
    replace: "",
    tests: [core("api-keys/limits")],
  },
  {
    name: "keys: a key made over the API outlives its plan",
    file: "packages/core/src/api-keys/authenticate.ts",
    search: "  if (row.made_over_api && !plans[row.plan].features.api_keys) throw planLost(plans);\n",
    replace: "",
    tests: [core("api-keys/limits")],
  },
  {
    name: "tenancy: links are read without their account",
    file: "packages/core/src/links/link.entity.ts",
    search: "cond: (args: { id: string }) => ({ account_id: args.id }), default: true }",
    replace: "cond: (args: { id: string }) => ({ account_id: args.id }), default: false }",
    tests: [core("rpc/router")],
  },
  {
    name: "tenancy: buckets are read without their account",
    file: "packages/core/src/links/bucket.entity.ts",
    search: "cond: (args: { id: string }) => ({ account_id: args.id }), default: true }",
    replace: "cond: (args: { id: string }) => ({ account_id: args.id }), default: false }",
    tests: [core("rpc/router")],
  },
  {
    name: "tenancy: anybody ends a session by its id",
    file: "packages/core/src/sessions/end.ts",
    search: "const own = { id, account_id: ctx.account.id };",
    replace: "const own = { id };",
    tests: [core("rpc/router")],
  },
  {
    name: "tenancy: links are created on another account's domain",
    file: "packages/core/src/links/create.ts",
    search: '{ account_id, domain: name, status: "verified" }',
    replace: '{ domain: name, status: "verified" }',
    tests: [core("links/create")],
  },

  // Credentials
  {
    name: "credentials: a key is stored as it is",
    file: "packages/core/src/crypto/tokens.ts",
    search: 'createHash("sha256").update(secret).digest()',
    replace: "Buffer.from(secret)",
    tests: [core("api-keys/api-keys")],
  },
  {
    name: "credentials: a session lasts for ever",
    file: "packages/core/src/sessions/authenticate.ts",
    search: "and s.expires_at > $2 and s.last_seen_at > $3",
    replace: "and s.last_seen_at > $3",
    tests: [core("rpc/credentials")],
  },
  {
    name: "credentials: a session that is not used goes on",
    file: "packages/core/src/sessions/authenticate.ts",
    search: "and s.expires_at > $2 and s.last_seen_at > $3",
    replace: "and s.expires_at > $2 and s.last_seen_at > $3::timestamptz - interval '1 year'",
    tests: [core("rpc/credentials")],
  },
  {
    name: "credentials: a sign-in link works twice",
    file: "packages/core/src/logins/login-links.ts",
    search: "delete from login_links where hash = $1 and expires_at > $2 returning account_id",
    replace: "select account_id from login_links where hash = $1 and expires_at > $2",
    tests: [core("logins/login-links")],
  },
  {
    name: "credentials: an unverified address joins an account",
    file: "packages/core/src/logins/sign-in.ts",
    search: "if (!made && !(email_verified && account.email_verified)) {",
    replace: "if (!made && !account.email_verified) {",
    tests: [core("logins/sign-in")],
  },
  {
    name: "login: anybody signs ID tokens",
    file: "apps/http/src/auth/openid.ts",
    search: "client.enableNonRepudiationChecks,",
    replace: "",
    tests: ["apps/http/test/auth/login.test.ts"],
  },
  {
    name: "login: it leads to another login",
    file: "apps/http/src/auth/return-to.ts",
    search: "/^\\/auth(\\/|$)/.test(url.pathname)",
    replace: "false",
    tests: ["apps/http/test/auth/login.test.ts"],
  },
  {
    name: "cookies: scripts read the session",
    file: "apps/http/src/auth/session-cookie.ts",
    search: "    httpOnly: true,\n",
    replace: "",
    tests: ["apps/http/test/auth/login.test.ts"],
  },
  {
    name: "cookies: the session is sent without encryption",
    file: "apps/http/src/auth/session-cookie.ts",
    search: '    sameSite: "Lax",\n    secure,\n',
    replace: '    sameSite: "Lax",\n',
    tests: ["apps/http/test/auth/login.test.ts"],
  },
  {
    name: "cookies: another site's form acts for a signed-in visitor",
    file: "apps/http/src/credentials.ts",
    search: "    rejectForeignOrigin(c, baseOrigin);\n",
    replace: "",
    tests: ["apps/http/test/security.test.ts"],
  },
  {
    name: "MCP: a page of another site calls it by DNS rebinding",
    file: "apps/mcp/src/guard.ts",
    search: 'if (!validateHostHeader(c.req.header("host"), hosts).ok) {',
    replace: "if (false) {",
    tests: ["apps/mcp/test/http.test.ts"],
  },

  // Limits
  {
    name: "limits: creations are counted and not limited",
    file: "packages/core/src/limits/creation-limit.ts",
    search: "const isOver = result.consumedPoints > limit.points;",
    replace: "const isOver = false;",
    tests: [core("limits/creation-limit")],
  },
  {
    name: "limits: one creation too many",
    file: "packages/core/src/limits/creation-limit.ts",
    search: "const isOver = result.consumedPoints > limit.points;",
    replace: "const isOver = result.consumedPoints > limit.points + 1;",
    tests: [core("limits/creation-limit")],
  },
  {
    name: "limits: each /64 of one site guesses anew",
    file: "packages/core/src/limits/client-counters.ts",
    search: "...(site === null ? []",
    replace: "...(true ? []",
    tests: [core("limits/password-attempts")],
  },
  {
    name: "limits: eleven passwords may be tried",
    file: "packages/core/src/limits/password-attempts.ts",
    search: "const points = 10;",
    replace: "const points = 11;",
    tests: [core("limits/password-attempts")],
  },
  {
    name: "limits: eleven links in a bucket",
    file: "packages/core/src/kernel/plans.ts",
    search: "export const linksPerBucket = 10;",
    replace: "export const linksPerBucket = 11;",
    tests: [core("buckets/create")],
  },
  {
    name: "limits: any client says which address it has",
    file: "packages/server/src/client-address.ts",
    search: "if (trustedProxies.length === 0 || peer === null || !isTrusted(peer)) {",
    replace: "if (peer === null) {",
    tests: ["packages/server/test/client-address.test.ts"],
  },
  {
    name: "limits: a client puts an address in front of the proxy's",
    file: "packages/server/src/client-address.ts",
    search: "while (end > 0 && isTrusted(origin)) {",
    replace: "while (end > 0) {",
    tests: ["packages/server/test/client-address.test.ts"],
  },

  // Redirects
  {
    name: "redirects: an expired link asks for its password",
    file: "packages/core/src/redirects/rules/index.ts",
    search: "expiry, password,",
    replace: "password, expiry,",
    tests: [core("redirects/resolve")],
  },
  {
    name: "redirects: a link works at the moment of its expiry",
    file: "packages/core/src/redirects/rules/expiry.ts",
    search: "expiresAt !== null && expiresAt <= now;",
    replace: "expiresAt !== null && expiresAt < now;",
    tests: [core("redirects/resolve"), core("redirects/destination")],
  },
  {
    name: "redirects: the hot path skips rules",
    file: "packages/core/src/redirects/decide.ts",
    search: "  route.rules === null && !hasExpired",
    replace: "  !hasExpired",
    tests: ["apps/redirect/test/hot-path.test.ts"],
  },
  {
    name: "redirects: an unlock token never ends",
    file: "packages/core/src/redirects/unlock-token.ts",
    search: "  if (until * 1000 <= now) return false;\n",
    replace: "",
    tests: [core("redirects/unlock-token")],
  },
  {
    name: "redirects: an unlock token opens every link with that password hash",
    file: "packages/core/src/redirects/unlock-token.ts",
    search: "update(`pass ${linkId} ${until}`)",
    replace: "update(`pass ${until}`)",
    tests: [core("redirects/unlock-token")],
  },
  {
    name: "purge: a change drops nothing that is cached",
    file: "packages/core/src/redirects/routes.ts",
    search: "    this.cache.delete(key);\n    this.#routeLoads.invalidate(key);\n",
    replace: "    this.#routeLoads.invalidate(key);\n",
    tests: [core("redirects/purge")],
  },
  {
    name: "purge: a change during a look-up is missed",
    file: "packages/core/src/redirects/routes.ts",
    search: "    this.cache.delete(key);\n    this.#routeLoads.invalidate(key);\n",
    replace: "    this.cache.delete(key);\n",
    tests: [core("redirects/purge"), core("redirects/routes")],
  },
  {
    name: "purge: routes stay trusted after the channel was lost",
    file: "packages/core/src/redirects/route-cache.ts",
    search: "for (const route of this.#routes.values()) route.loadedAt = 0;",
    replace: "",
    tests: [core("redirects/purge")],
  },
  {
    name: "loops: links lead back to the service's own host",
    file: "packages/core/src/domains/redirect-loops.ts",
    search: "return hostnameOf(url) === shortHost.hostname && (",
    replace: "return false && (",
    tests: [core("links/redirect-loops")],
  },
  {
    name: "loops: links lead to another account's short-link host",
    file: "packages/core/src/domains/redirect-loops.ts",
    search: "`(status = 'verified' or account_id",
    replace: "`(status = 'verified' and account_id",
    tests: [core("links/redirect-loops")],
  },
  {
    name: "slugs: reserved names in capitals are taken",
    file: "packages/core/src/links/slug.ts",
    search: "reserved.has(slug.toLowerCase())",
    replace: "reserved.has(slug)",
    tests: [core("links/slug")],
  },
  {
    name: "slugs: two that look alike are two links",
    file: "packages/core/src/links/slug.ts",
    search: 'const slug = raw.normalize("NFC");',
    replace: "const slug = raw;",
    tests: [core("links/slug")],
  },

  // Counting
  {
    name: "counting: bots are people",
    file: "packages/core/src/clicks/drain/prepare/prepare.ts",
    search: "const is_bot = derived.bot;",
    replace: "const is_bot = false;",
    tests: [core("clicks/drain/exact")],
  },
  {
    name: "counting: a batch that was stored is stored again",
    file: "packages/core/src/clicks/drain/store/store.ts",
    search: "return rowCount === 1 && (!first || (await exists()));",
    replace: "return true;",
    tests: [core("clicks/drain/once")],
  },
  {
    name: "counting: a link's count is that of its last batch",
    file: "packages/core/src/clicks/drain/rollups/click-count.ts",
    search: "set click_count = click_count + t.clicks",
    replace: "set click_count = t.clicks",
    tests: [core("clicks/drain/exact")],
  },
  {
    name: "counting: a visitor is the same every day",
    file: "packages/core/src/clicks/derive/visitor.ts",
    search: "`${key}\\0${networkOf(address)}",
    replace: "`${networkOf(address)}",
    tests: [core("clicks/derive/visitor")],
  },
  {
    name: "rollups: visitors are counted in every batch",
    file: "packages/core/src/clicks/drain/store/statements.ts",
    search: "order by 1, 2 on conflict do nothing returning visitor",
    replace: "order by 1, 2 on conflict (day, visitor) do update set day = excluded.day returning visitor",
    tests: [core("clicks/drain/visitors")],
  },
  {
    name: "rollups: rebuilding counts kinds of clicks instead of clicks",
    file: "packages/core/src/clicks/drain/rollups/by-value.ts",
    search: "sum(alike) as clicks",
    replace: "count(*) as clicks",
    tests: [core("clicks/drain/rebuild"), core("clicks/drain/rollups")],
  },
  {
    name: "retention: the month of the limit is dropped, too",
    file: "packages/core/src/clicks/drain/store/partitions.ts",
    search: "if (name >= nameOf(time)) continue;",
    replace: "if (name > nameOf(time)) continue;",
    tests: [core("clicks/drain/partitions")],
  },

  // What leaves the service
  {
    name: "errors: a client reads what failed inside",
    file: "packages/core/src/rpc/failure.ts",
    search: 'return failure("INTERNAL_SERVER_ERROR", "Internal server error");',
    replace: 'return failure("INTERNAL_SERVER_ERROR", String(cause));',
    tests: [core("rpc/failure")],
  },
  {
    name: "escaping: a page's title is markup",
    file: "packages/server/src/pages/page.ts",
    search: "<title>${title}</title>",
    replace: "<title>${raw(title)}</title>",
    tests: ["apps/redirect/test/pages.test.ts"],
  },
  {
    name: "escaping: a CSV cell is a formula",
    file: "packages/core/src/analytics/export-format.ts",
    search: "/^[=+\\-@\\t\\r]/",
    replace: "/^[=+@\\t\\r]/",
    tests: [core("analytics/export-format")],
  },
  {
    name: "escaping: a CSV cell ends at its quotation mark",
    file: "packages/core/src/analytics/export-format.ts",
    search: "inert.replaceAll('\"', '\"\"')",
    replace: "inert",
    tests: [core("analytics/export-format")],
  },
  {
    name: "escaping: an SVG image's title is markup",
    file: "packages/core/src/links/qr/svg.ts",
    search: "<title>QR code: ${escape(text)}</title>",
    replace: "<title>QR code: ${text}</title>",
    tests: [core("links/qr/qr")],
  },
];
