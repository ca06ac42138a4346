import type { Moderation, ModeratedLink } from "../integrations.types.ts";
import type { Action } from "../../accounts/activity/activity.schema.ts";
import { type ActivityDeps, operatorActor, recordActivity } from "../../accounts/activity/record.ts";
import { type Change, contextOf, operator, setChangeContext } from "../../history/change.ts";
import { notFound } from "../../kernel/errors.ts";
import { isId } from "../../kernel/validation/ids.ts";
import { parseOr400 } from "../../kernel/validation/issues.ts";
import { reasonInput } from "../../kernel/validation/strings.ts";
import type { LinkDeps } from "../../links/call.ts";
import { removeLinks } from "../../links/link.row.ts";
import { conditionOf, readLinks } from "./find-links.ts";

type ModerationDeps = ActivityDeps & Pick<LinkDeps, "invalidate" | "shortHost">;
type Path = Parameters<LinkDeps["invalidate"]>[0];

export function createModeration(deps: ModerationDeps): Moderation {
  const { pool, clock } = deps;
  const change = (): Change => ({ id: deps.newId(), at: clock(), by: operator });

  async function read(id: string): Promise<ModeratedLink> {
    const [link] = isId(id) ? await readLinks(deps, { sql: "l.id = $2", values: [id] }, 1) : [];
    if (!link) throw notFound("Link");
    return link;
  }

  async function record({ id, account }: ModeratedLink, action: Action) {
    if (account) await recordActivity(deps, operatorActor(account.id), action, id);
  }

  /** Locks the rows in the order of their ids, as they are when clicks are counted, which rules out deadlocks. */
  async function setDisabled(id: string, disabledAt: Date | null, reason: string | null) {
    if (!isId(id)) throw notFound("Link");
    const { rows } = await pool.query<Path>(
      `with parts as (
         select id from links where id = $1 or bucket_id = (select bucket_id from links where id = $1)
         order by id for no key update
       )
       update links set disabled_reason = $3,
         disabled_at = case when $2::timestamptz is null then null else coalesce(disabled_at, $2) end
       from parts, (select ${setChangeContext("$4")}) context where links.id = parts.id
       returning domain_id, slug`,
      [id, disabledAt, reason, contextOf(change())],
    );
    for (const row of rows) deps.invalidate(row);
    const link = await read(id);
    await record(link, disabledAt === null ? "link_enabled" : "link_disabled");
    return link;
  }

  return {
    async findLinks(filter, limit = 100) {
      const links = await readLinks(deps, conditionOf(filter, deps), limit + 1);
      return { links: links.slice(0, limit), more: links.length > limit };
    },
    async disableLink(id, reason) {
      return setDisabled(id, clock(), parseOr400(reasonInput, { reason }).reason);
    },
    enableLink: (id) => setDisabled(id, null, null),
    async deleteLink(id) {
      const link = await read(id);
      const { bucket_id } = link;
      const { rows } = await pool.query<Path>(
        "select domain_id, slug from links where id = $1 or bucket_id = $2",
        [id, bucket_id],
      );
      if (bucket_id === null) await removeLinks(pool, change(), [id]);
      else await pool.query("delete from buckets where id = $1", [bucket_id]);
      for (const path of rows) deps.invalidate(path);
      await record(link, "link_deleted");
    },
  };
}
