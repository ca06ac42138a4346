import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TRPCError } from "@trpc/server";
import { startDns } from "@terse/testkit/dns";
import fc from "fast-check";
import { afterAll, expect, it } from "vitest";
import {
  type Actor,
  type Failure,
  type IssueCode,
  issueCodes,
  type Scope,
  toFailure,
} from "../../src/index.ts";
import { concurrentChange } from "../../src/kernel/errors.ts";
import { sentenceOf } from "../../src/kernel/issues.ts";
import { changedSince } from "../../src/links/revision.ts";
import { requestInProgress } from "../../src/rpc/idempotency/request.ts";
import { addDomain, anonymous, url } from "../helpers.ts";
import { createTestCore } from "../../src/testing.ts";
import { call, idsOf, operations, refusedInput, seed, unknownIds } from "../fixtures.ts";

const dns = await startDns();
const { core, actor, close } = await createTestCore({ dnsServers: [dns.address] });
afterAll(async () => {
  await close();
  await dns.close();
});

/** What a call answers if it is refused */
const failureOf = (answer: Promise<unknown>): Promise<Failure | null> => answer.then(() => null, toFailure);

const known: ReadonlySet<string> = new Set(issueCodes);
/** Codes that were seen so far */
const seen = new Set<string>();
/** Codes that say something only with a reason */
const vague: ReadonlySet<string> = new Set(["forbidden", "conflict", "unprocessable"]);

/** Checks that a refusal is data that its sentence can be made from, in any language. */
function expectIssues({ message, issues }: Failure, about: string): void {
  const [first] = issues;
  if (!first) throw new Error(`${about}: ${message} has no issue`);
  expect(sentenceOf(first), about).toBe(message);
  for (const { path, code, params } of issues) {
    seen.add(code);
    expect(known, about).toContain(code);
    expect(code, `${about}: ${message}`).not.toBe("invalid");
    if (vague.has(code)) expect(params, `${about}: ${message}`).toHaveProperty("reason");
    expect(JSON.parse(JSON.stringify([path, params ?? {}])), about).toEqual([path, params ?? {}]);
  }
  expect(new Set(issues.map(sentenceOf)).size, about).toBe(issues.length);
}

const samples: readonly unknown[] = [
  null,
  true,
  -1,
  0,
  0.5,
  1e300,
  "",
  " ",
  "!",
  "a\u0000b",
  "a\uD800",
  "x".repeat(9000),
  "https://",
  "http://short.test/x",
  [],
  [null],
  ["a", "a"],
  {},
  { extra: 1 },
  Array(2000).fill("x"),
];
/** Something that hardly any field takes */
const junk = fc.oneof(fc.constantFrom(...samples), fc.jsonValue({ maxDepth: 2 }));

/** The same value with junk somewhere in it */
function withJunk(value: unknown, bad: unknown, pick: number): unknown {
  if (typeof value !== "object" || value === null || pick % 3 === 0) return bad;
  const entries = Object.entries(value);
  const [name, inner] = entries[pick % Math.max(1, entries.length)] ?? ["extra", null];
  const changed = withJunk(inner, bad, Math.floor(pick / 3));
  if (!Array.isArray(value)) return { ...value, [name]: changed };
  return value.map((each: unknown, at) => (String(at) === name ? changed : each));
}

const all = operations();

it.each(all)(
  "is refused with issues, whatever is wrong with its input: $name",
  async ({ name, fields, fixture }) => {
    const caller = await actor("enterprise");
    const ids = idsOf(await seed(core, caller.account, fixture.uses));
    const names = [...Object.keys(fields), "extra"];
    await fc.assert(
      fc.asyncProperty(
        fc.subarray(names, { minLength: 1, maxLength: Math.min(3, names.length) }),
        junk,
        fc.nat(),
        async (some, bad, pick) => {
          const input: Record<string, unknown> = { ...(fixture.input(ids) as object) };
          for (const field of some) input[field] = withJunk(input[field], bad, pick);
          const failure = await failureOf(call(core, name, caller, input));
          if (failure !== null && failure.status !== 429)
            expectIssues(failure, `${name} ${JSON.stringify(input)}`.slice(0, 500));
        },
      ),
      { numRuns: 50, seed: 7 },
    );
  },
);

const refusals = all.flatMap((operation) =>
  Object.entries(operation.fixture.refusals).flatMap(([status, some]) =>
    some.map((refusal) => ({ ...operation, status: Number(status), refusal })),
  ),
);

it.each(refusals)(
  "is data: $name refuses with $status: $refusal.error",
  async ({ name, fixture, refusal, status }) => {
    const caller = await actor("enterprise");
    const own = await seed(core, caller.account, fixture.uses);
    const another = async () => core.caller(await actor("enterprise"));
    const input = await refusedInput(fixture, refusal, { core, dns, own, another });
    const failure = await failureOf(call(core, name, caller, input));
    if (failure === null) throw new Error(`${name} did not refuse`);
    expect(failure.status).toBe(status);
    expectIssues(failure, name);
  },
);

const folder = await mkdtemp(join(tmpdir(), "terse-test-"));
afterAll(() => rm(folder, { recursive: true }));
const list = join(folder, "list.txt");
await writeFile(list, "listed.example.com");

/** A core with few of everything */
const small = await createTestCore({
  blocklistFiles: [list],
  freeLinks: 1,
  rateLimits: { anonymous: 0, free: 1e6, pro: 2, enterprise: 1e6 },
  signUp: "closed",
});
afterAll(small.close);

const owner = await actor("enterprise");
const own = core.caller(owner);
const keyOnly = (granted: readonly Scope[] | null): Actor => ({
  ...owner,
  credential: "key",
  key: { id: unknownIds.key, name: "A key", scopes: granted, expires_at: null },
});
const withUrl = (more: object) => own.links.create({ url, ...more });
/** An answer, for a key that a request had before */
const again = async (name: string, first: object, second: object) => {
  const keyed = { ...core, createContext: (who: Actor) => core.createContext(who, { idempotencyKey: "k" }) };
  await call(keyed, name, owner, first);
  return call(keyed, name, owner, second);
};
const asTransport = (code: TRPCError["code"]) => () => Promise.reject(new TRPCError({ code }));

/** One refusal for each code that no call above was refused with */
const examples: readonly (readonly [IssueCode, () => Promise<unknown>])[] = [
  [
    "duplicate",
    () =>
      withUrl({
        geo_rules: [
          { country: "DE", url },
          { country: "de", url },
        ],
      }),
  ],
  ["control_characters", () => withUrl({ title: "a\u0000b" })],
  ["nothing_visible", () => own.buckets.create({ name: "\u2800", links: [{ title: "A", url }] })],
  ["masked", () => withUrl({ password: "***" })],
  ["needs", () => own.analytics.overview({ to: "2026-01-01" })],
  ["too_late", () => withUrl({ starts_at: "2031-01-02T00:00:00Z", expires_at: "2031-01-01T00:00:00Z" })],
  ["low_contrast", () => withUrl({ qr: { color: "#eee", background: "#fff" } })],
  ["slug_reserved", () => withUrl({ slug: "health" })],
  ["plan_required", async () => core.caller(await actor("free")).links.create({ url, password: "sesame" })],
  ["scope_required", () => core.caller(keyOnly(["domains"])).links.list({})],
  ["role_required", () => core.caller({ ...owner, role: "viewer" }).links.create({ url })],
  [
    "sign_in_again",
    () => core.caller({ ...owner, credential: "session", authenticated_at: new Date(0) }).account.delete(),
  ],
  ["credential_refused", () => core.caller(keyOnly(null)).account.delete()],
  ["exceeds_credential", () => core.caller(keyOnly(["keys"])).keys.create({ scopes: ["links:read"] })],
  ["unauthenticated", () => core.caller(anonymous).links.list({})],
  [
    "forbidden",
    () =>
      small.core.logins.signIn({
        provider: "p",
        issuer: "i",
        subject: "s",
        email: "new@example.com",
        email_verified: true,
        name: null,
      }),
  ],
  ["conflict", () => core.accounts.create({ email: owner.account.email })],
  [
    "disabled",
    async () => {
      const { id } = await own.links.create({ url });
      await core.moderation.disableLink(id, "phishing");
      return own.links.update({ id, title: "A" });
    },
  ],
  [
    "limit_reached",
    async () => {
      const { links } = small.core.caller(await small.actor("free"));
      await links.create({ url });
      return links.create({ url });
    },
  ],
  [
    "blocked",
    async () =>
      small.core.caller(await small.actor("pro")).links.create({ url: "https://listed.example.com/" }),
  ],
  ["rate_limited", () => small.core.caller(anonymous).links.create({ url })],
  ["key_reused", () => again("links.create", { url }, { url, title: "Another" })],
  [
    "ambiguous",
    async () => {
      await addDomain(core, owner.account.id, "go.example.net");
      await own.links.create({ url, slug: "twice" });
      await own.links.create({ url, slug: "twice", domain: "go.example.net" });
      return own.links.locate({ id: "twice" });
    },
  ],
  ["changed_meanwhile", () => Promise.reject(changedSince())],
  ["in_progress", () => Promise.reject(requestInProgress())],
  ["concurrent_change", () => Promise.reject(concurrentChange())],
  ["method_not_allowed", asTransport("METHOD_NOT_SUPPORTED")],
  ["body_too_large", asTransport("PAYLOAD_TOO_LARGE")],
  ["wrong_media_type", asTransport("UNSUPPORTED_MEDIA_TYPE")],
  ["internal", () => Promise.reject(new Error("secret detail"))],
  ["unavailable", () => Promise.reject(Object.assign(new Error(), { code: "ECONNREFUSED" }))],
];

it.each(examples)("%s is what such a call is refused with", async (code, refuse) => {
  const failure = await failureOf(refuse());
  if (failure === null) throw new Error("Not refused");
  expect(failure.issues.map((issue) => issue.code)).toContain(code);
  expectIssues(failure, code);
});

it("says all that is wrong with a link at once", async () => {
  const { links } = small.core.caller(await small.actor("enterprise"));
  const bad = {
    url: "https://listed.example.com/",
    fallback_url: "http://short.test/x",
    domain: "go.example.com",
  };
  const refused = await failureOf(links.create(bad));
  expect(refused?.issues.map(({ path, code }) => [path.join("."), code])).toEqual([
    ["domain", "domain_unverified"],
    ["fallback_url", "loop"],
  ]);
  const invalid = await failureOf(links.create({ ...bad, url: "ftp://a", slug: "a b", titel: "A" } as never));
  expect(invalid?.issues.map(({ path, code }) => [path.join("."), code])).toEqual([
    ["", "unknown_field"],
    ["url", "invalid_url"],
    ["slug", "invalid_slug"],
  ]);
  expect(invalid?.message).toMatch(/^titel: no such field/);
});

/** Codes whose causes are a load, a lost connection, files or the doors of the service, which have tests of their own */
const elsewhere: ReadonlySet<IssueCode> = new Set<IssueCode>([
  ...(["answer_lost", "busy", "clicks_dropped", "took_too_long", "too_much_data"] as const),
  ...(["database_in_use", "database_not_empty", "file_exists", "interrupted"] as const),
  // Errors without a reason of their own, which the core does not throw
  ...(["invalid", "unprocessable"] as const),
  // Of the sign-in, which is not an operation
  "passkey_refused",
  // In answers of bulk operations, and for keys that have expired
  ...(["stopped", "expired"] as const),
]);

it("uses every code of the list", () => {
  expect(issueCodes.filter((code) => !seen.has(code) && !elsewhere.has(code))).toEqual([]);
});
