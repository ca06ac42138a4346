import type { Database } from "../db/statements.ts";
import { concurrentChange } from "../kernel/errors.ts";
import { ownDomainId } from "../kernel/host-names.ts";

/** Which workspaces may add links to which domains. Redirecting processes load this file: no ORM. */

/** In `domains.shared_with`, beside ids: every workspace of the service. */
export const everyone = "everyone";

/** SQL: whether a row of `domains` is shared with a workspace, as its index finds it; `workspace` is a placeholder. */
export const isSharedWith = (workspace: string) =>
  `shared_with <> '[]' and shared_with ?| array['${everyone}', ${workspace}::uuid::text]`;

/** SQL: whether it is the workspace's own, or shared with it. */
const isUsable = (workspace: string) => `(account_id = ${workspace}::uuid or (${isSharedWith(workspace)}))`;

/**
 * SQL for a statement that inserts a link: true unless the domain is not the workspace's own and its sharing just ended, which
 * waits for the statement otherwise. Both arguments are placeholders.
 */
export const stillUsable = (domain: string, workspace: string) => {
  const withId = `select from domains where id = ${domain}::uuid and`;
  return `(${domain}::uuid = '${ownDomainId}' or exists (${withId} account_id = ${workspace}::uuid)
    or exists (${withId} ${isSharedWith(workspace)} for share))`;
};

/** The verified domains to which a workspace may add links, its own and those shared with it: their ids by name. */
export async function usableDomains(
  database: Database,
  workspaceId: string | null,
): Promise<ReadonlyMap<string, string>> {
  if (workspaceId === null) return new Map();
  const { rows } = await database.query<{ id: string; domain: string }>({
    name: "usable-domains",
    text: `select id, domain from domains where status = 'verified' and ${isUsable("$1")}`,
    values: [workspaceId],
  });
  return new Map(rows.map(({ id, domain }) => [domain, id]));
}

/**
 * Makes the end of the sharing of these domains wait for the transaction, which adds links of the workspace to them. Throws 503 if
 * the workspace may not use one of them: it could a moment ago.
 */
export async function holdDomains(
  database: Database,
  workspaceId: string,
  domainIds: readonly string[],
): Promise<void> {
  const ids = [...new Set(domainIds)].filter((id) => id !== ownDomainId);
  if (ids.length === 0) return;
  const { rowCount } = await database.query(
    `select from domains where id = any($1::uuid[]) and status = 'verified' and ${isUsable("$2")}
     order by id for share`,
    [ids, workspaceId],
  );
  if (rowCount !== ids.length) throw concurrentChange();
}

/**
 * The ids of all domains with a host name, whichever workspace has them: a link may be on one that was shared with its workspace
 * once. For conditions on the links of a workspace.
 */
export async function domainIdsNamed(database: Database, name: string): Promise<string[]> {
  const { rows } = await database.query<{ id: string }>({
    name: "ids-of-domain",
    text: "select id from domains where domain = $1 and id <> $2",
    values: [name, ownDomainId],
  });
  return rows.map(({ id }) => id);
}
