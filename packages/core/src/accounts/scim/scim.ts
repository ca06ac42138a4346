import { notFound, refusal } from "../../kernel/errors.ts";
import { hashToken, isPlausibleToken, lastUseLag, newToken } from "../../kernel/secrets.ts";
import { isoTime } from "../../kernel/time.ts";
import { idOrNull, isId } from "../../kernel/validation/ids.ts";
import { parseOr400 } from "../../kernel/validation/issues.ts";
import { line } from "../../kernel/validation/strings.ts";
import { operatorActor, recordActivity } from "../activity/record.ts";
import type { ScimDeps } from "./call.ts";
import { groupsIn } from "./groups.ts";
import { peopleOf } from "./people.ts";
import type { Scim, ScimToken } from "./scim.types.ts";

/** Begins tokens, so that people and scanners of secrets know them. */
const prefix = "scim_";

const token = `select t.id, json_build_object('id', w.id, 'name', w.name) as workspace, t.name, t.created_at, t.last_used_at
  from scim_tokens t join workspaces w on w.id = t.account_id`;

const shown = (row: ScimToken): ScimToken => ({
  ...row,
  created_at: isoTime(row.created_at),
  last_used_at: isoTime(row.last_used_at),
});

/** Implements `Scim`. */
export function createScim(deps: ScimDeps): Scim {
  const { pool, clock, newId, randomBytes, refusals } = deps;

  async function workspaceNamed(name: string): Promise<{ id: string; personal: boolean }> {
    const { rows } = await pool.query<{ id: string; personal: boolean }>(
      "select id, personal from workspaces where (id = $1 or slug = $2) and erased_at is null",
      [idOrNull(name), isId(name) ? null : name],
    );
    const [workspace] = rows;
    if (!workspace) throw notFound("Workspace");
    return workspace;
  }

  return {
    async open(secret, source) {
      const { rows } = isPlausibleToken(secret)
        ? await pool.query<{ id: string; workspace: string; is_open: boolean; use_is_due: boolean }>({
            name: "credential-scim",
            text: `select t.id, w.id as workspace, w.suspended_at is null and w.deletes_at is null as is_open,
                     t.last_used_at is null or t.last_used_at < $2::timestamptz - interval '${lastUseLag}' as use_is_due
                   from scim_tokens t join workspaces w on w.id = t.account_id where t.hash = $1`,
            values: [hashToken(secret), clock()],
          })
        : { rows: [] };
      const [found] = rows;
      if (!found?.is_open) {
        refusals.report(
          "directory token",
          "it is no token of a directory, or its workspace is closed",
          source,
        );
        return null;
      }
      await deps.limits.take("scim", found.id, {});
      if (found.use_is_due)
        await pool.query("update scim_tokens set last_used_at = $2 where id = $1", [found.id, clock()]);
      const call = { deps, workspaceId: found.workspace, source };
      return { workspaceId: found.workspace, ...peopleOf(call), ...groupsIn(call) };
    },
    async issue(workspace, given) {
      const name = given === undefined ? null : parseOr400(line(100), given);
      const { id: workspaceId, personal } = await workspaceNamed(workspace);
      if (personal) {
        const message = "A personal workspace has one member: name a workspace that has several";
        throw refusal("BAD_REQUEST", "workspace", "forbidden", message, { reason: "personal_workspace" });
      }
      const id = newId();
      const secret = prefix + newToken(randomBytes);
      await pool.query(
        "insert into scim_tokens (id, account_id, name, hash, created_at) values ($1, $2, $3, $4, $5)",
        [id, workspaceId, name, hashToken(secret), clock()],
      );
      await recordActivity(deps, operatorActor(workspaceId), "directory_token_created", name);
      const { rows } = await pool.query<ScimToken>(`${token} where t.id = $1`, [id]);
      return { ...shown(rows[0] as ScimToken), token: secret };
    },
    async list(workspace) {
      const { id } = await workspaceNamed(workspace);
      const { rows } = await pool.query<ScimToken>(`${token} where t.account_id = $1 order by t.id`, [id]);
      return rows.map(shown);
    },
    async revoke(id) {
      const { rows } = await pool.query<{ account_id: string; name: string | null }>(
        "delete from scim_tokens where id = $1 returning account_id, name",
        [idOrNull(id)],
      );
      const [gone] = rows;
      if (!gone) return false;
      await recordActivity(deps, operatorActor(gone.account_id), "directory_token_revoked", gone.name);
      return true;
    },
  };
}
