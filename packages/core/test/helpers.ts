import type { AnalyticsDeps } from "../src/analytics/call.ts";
import { AppError, type Caller, type Core, type ErrorCode, type RawClick, type Role } from "../src/index.ts";
import type { RedirectDeps } from "../src/redirect-core.ts";

/** What the parts of a core own. */
export type Deps = RedirectDeps & AnalyticsDeps;

/** The AppError of a call; fails if the call succeeds, or throws anything else. */
export async function rejection(call: Promise<unknown>): Promise<{ code: ErrorCode; message: string }> {
  const outcome = await call.then(
    (value) => new Error(`Not refused: ${JSON.stringify(value)}`),
    (error: unknown) => error,
  );
  if (!(outcome instanceof AppError)) throw outcome;
  return { code: outcome.code as ErrorCode, message: outcome.message };
}

/** The internals of a core, for what no public function shows: query plans, rows of other features. */
export const depsOf = (core: Core) => core.createContext({ kind: "anonymous" }).deps as Deps;

/** Inserts a custom domain of an account, as the domains feature stores it. */
export async function addDomain(
  core: Core,
  accountId: string,
  domain: string,
  status: "verified" | "pending" | "failed" = "verified",
): Promise<string> {
  const { pool, newId } = depsOf(core);
  const id = newId();
  await pool.query(
    "insert into domains (id, account_id, domain, status, challenge, created_at) values ($1, $2, $3, $4, 'c', now())",
    [id, accountId, domain, status],
  );
  return id;
}

/** Shares a domain with another workspace, which makes a link there. */
export async function linkOnShared(core: Core, id: string, other: Caller): Promise<void> {
  const { workspace } = await other.users.me();
  const { rows } = await depsOf(core).pool.query<{ domain: string }>(
    "update domains set status = 'verified', shared_with = jsonb_build_array($2::text) where id = $1 returning domain",
    [id, workspace.id],
  );
  await other.links.create({ url, domain: rows[0]?.domain });
}

/** All rows of all tables, as text. */
export async function dump(core: Core): Promise<string> {
  const { pool } = depsOf(core);
  const { rows: tables } = await pool.query<{ name: string }>(
    "select quote_ident(table_name) as name from information_schema.tables where table_schema = 'public'",
  );
  const texts: string[] = [];
  for (const { name } of tables) {
    const { rows } = await pool.query<{ text: string }>(`select t::text as text from ${name} t`);
    texts.push(name, ...rows.map(({ text }) => text));
  }
  return texts.join("\n");
}

export const anonymous = { kind: "anonymous" } as const;
export const url = "https://example.com/";
/** An id that does not exist */
export const unknownId = "0190aaaa-bbbb-7ccc-8ddd-eeeeeeeeeeee";

/** Texts for it.each, with names that a report can print. */
export const named = (texts: readonly string[]): [name: string, text: string][] =>
  texts.map((text) => [text.length > 40 ? `${text.length} characters` : JSON.stringify(text), text]);

/** A click of a person with a browser and a public address. */
export const clickOn = (link_id: string, more: Partial<RawClick> = {}): RawClick => ({
  link_id,
  time: Date.now(),
  address: "8.8.8.8",
  user_agent: "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
  referrer: "",
  country: "",
  flags: 0,
  variant: -1,
  ...more,
});

/** Milliseconds within which other nodes see a change of a link */
export const second = 1000;

/** The answer of a change of many links that was made at once, and not by a job. */
export function atOnce<Answer extends object>(answer: Answer): Exclude<Answer, { job_id: string }> {
  if ("job_id" in answer) throw new Error("A job makes the change");
  return answer as Exclude<Answer, { job_id: string }>;
}

/** The id of the person who owns the personal workspace of a member. */
export async function ownerOf(core: Core, memberId: string): Promise<string> {
  const { rows } = await depsOf(core).pool.query<{ id: string }>(
    "select workspace_id as id from members m join workspaces w on w.id = workspace_id where user_id = $1 and w.personal and w.id <> $1",
    [memberId],
  );
  return rows[0]?.id ?? "";
}

/** Makes a person a member of a workspace. */
export const addMember = (core: Core, workspaceId: string, personId: string, role: Role) =>
  depsOf(core).pool.query("insert into members values ($1, $2, $3, 'invitation', now())", [
    workspaceId,
    personId,
    role,
  ]);
