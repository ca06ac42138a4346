import { afterAll, expect, it } from "vitest";
import type { FileReply } from "../../../src/index.ts";
import { createTestCore } from "../../../src/testing.ts";
import { depsOf, rejection } from "../../helpers.ts";
import { fullAccount } from "./full-account.ts";

const test = await createTestCore();
afterAll(test.close);
const { pool } = depsOf(test.core);
const own = await fullAccount(test, "exportingperson");
await fullAccount(test, "bystander");

type Line = { type: string; [field: string]: unknown };

async function exported(): Promise<Line[]> {
  const { body } = (await own.caller.account.export()) as FileReply;
  let text = "";
  for await (const piece of body) text += piece;
  expect(text.endsWith("\n")).toBe(true);
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);
}
const lines = await exported();

it("has everything of the account, nothing of others, and no secret", async () => {
  const text = JSON.stringify(lines);
  for (const trace of own.traces) expect(text).toContain(trace);
  expect(text).not.toContain("bystander");
  expect(text).not.toMatch(/hash|scrypt|\\\\x/);
  const counts = Object.fromEntries(
    [...Map.groupBy(lines, ({ type }) => type)].map(([type, { length }]) => [type, length]),
  );
  expect(counts).toEqual({
    profile: 1,
    activity_chain: 1,
    mail: 2,
    mail_opt_out: 1,
    preferences: 1,
    report_subject: 1,
    report_period: 1,
    consents: 1,
    idempotent_answer: 1,
    import_position: 1,
    invitation: 1,
    member: 1,
    job: 1,
    job_part: 1,
    identity: 1,
    passkey: 1,
    session: 1,
    login_link: 1,
    api_key: 1,
    connection: 1,
    connection_token: 1,
    directory_token: 1,
    directory_user: 1,
    directory_group: 1,
    directory_group_member: 1,
    group_grant: 1,
    activity: expect.any(Number),
    domain: 1,
    webhook: 1,
    webhook_event: 4,
    webhook_clicks: 4,
    webhook_delivery: 1,
    shared_report: 2,
    alert: 1,
    link_health: 1,
    link: 3,
    tag: 1,
    link_tag: 1,
    deleted_link: 1,
    change: 1,
    bucket: 1,
    bucket_avatar: 1,
    qr_logo: 1,
    bucket_link: 2,
    campaign: 1,
    link_bot: 5,
    link_day: 5,
    link_day_value: expect.any(Number),
    click: 4,
  });
});

it("writes rows as they are stored, with times in ISO 8601", () => {
  const lineOf = (type: string, id: string) => lines.find((line) => line.type === type && line["id"] === id);
  expect(lineOf("link", own.link.id)).toEqual({
    type: "link",
    id: own.link.id,
    custom_domain: null,
    slug: own.link.slug,
    destination: own.link.destination,
    title: own.link.title,
    notes: own.link.notes,
    click_count: 2,
    last_click_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]+\.\d{3}Z$/),
    imported_clicks: 0,
    fallbacks: 0,
    is_active: true,
    disabled_at: null,
    disabled_reason: null,
    created_at: own.link.created_at,
    created_by: "system",
    made_by: null,
    updated_at: own.link.updated_at,
    starts_at: null,
    expires_at: null,
    click_limit: null,
    fallback_url: null,
    has_password: true,
    rules: own.link.rules,
    geo_rules: own.link.geo_rules,
    ab_test: own.link.ab_test,
    preview: own.link.preview,
    qr: null,
    redirect_status: 301,
    forward_query: "keep",
    forward_path: true,
  });
  expect(lineOf("link", own.onDomain.id)).toMatchObject({ custom_domain: own.domain });
  expect(lines.find(({ type }) => type === "click")).toMatchObject({
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]+\.\d{3}Z$/),
    browser: "Firefox",
    unique: true,
  });
});

it("is refused to a key with scopes, which would read more than them", async () => {
  const key = { id: own.key.id, scopes: ["account"] as const, expires_at: null };
  const actor = { kind: "account", account: own.account, credential: "key", key } as const;
  expect(await rejection(test.core.caller(actor).account.export())).toEqual({
    code: "FORBIDDEN",
    message: "An API key with scopes cannot export the account: use another one, or sign in",
  });
  const connection = { ...actor, key: { ...key, is_connection: true } } as const;
  expect(await rejection(test.core.caller(connection).account.export())).toEqual({
    code: "FORBIDDEN",
    message: "A connected program cannot export the account: use the console, or an API key without scopes",
  });
});

it("names every table that belongs to accounts, and every column of links", async () => {
  const { rows } = await pool.query<{ table: string }>(
    `select table_name as table from information_schema.columns
     where table_schema = 'public' and column_name = 'account_id' order by 1`,
  );
  // Rollups of an account are sums of those of its links, and ranks are their order; reports are about it, but by others.
  const tables = rows
    .map(({ table }) => table)
    .filter((table) => !/^(all_)?account_/.test(table) && table !== "reports" && table !== "link_ranks");
  const { partsOf } = await import("../../../src/maintenance/account/export-parts.ts");
  const statements = Object.values(partsOf("''"));
  for (const table of tables)
    expect(
      statements.some((sql) => new RegExp(`from ${table}\\b`).test(sql)),
      `${table} is missing in export-parts.ts`,
    ).toBe(true);

  const { rows: columns } = await pool.query<{ column: string }>(
    `select column_name as column from information_schema.columns where table_name = 'links' order by 1`,
  );
  const hidden = new Set(["account_id", "domain_id", "is_clicked"]);
  const links = statements.find((sql) => sql.includes("b.id = l.bucket_id")) ?? "";
  for (const { column } of columns)
    if (!hidden.has(column)) expect(links, `${column} is missing in export-parts.ts`).toContain(column);
});

it("streams many rows in pieces", async () => {
  await pool.query(
    `insert into links (id, account_id, slug, destination, created_at, updated_at)
     select gen_random_uuid(), $1, 'many-' || n, 'https://example.com/' || n, now(), now() from generate_series(1, 5000) n`,
    [own.account.id],
  );
  const { body } = (await own.caller.account.export()) as FileReply<AsyncIterable<string>>;
  const pieces: number[] = [];
  for await (const piece of body) pieces.push(piece.length);
  expect(pieces.length).toBeGreaterThan(10);
  expect(Math.max(...pieces)).toBeLessThan(100_000);
});
