import * as z from "zod";
import { personalProcedure } from "../../accounts/call.ts";
import { actorOf, recordActivity } from "../../accounts/activity/record.ts";
import { timeZone } from "../../analytics/analytics.input.ts";
import { sqlArray } from "../../db/arrays.ts";
import { inTransaction } from "../../db/connection.ts";
import type { Database } from "../../db/statements.ts";
import { notFound } from "../../kernel/errors.ts";
import { isId } from "../../kernel/validation/ids.ts";
import { fieldsOf, oneOf, withoutUndefined } from "../../kernel/validation/inputs.ts";
import { named } from "../../kernel/validation/strings.ts";
import { setTopic } from "../../mail/unsubscribe.ts";
import { router } from "../../rpc/procedure.ts";
import { duePeriod, frequencies } from "./period.ts";

/** Workspaces in the reports of a person, and tags. */
const most = 20;
const ids = (things: string) =>
  z
    .array(z.string())
    .max(most, `must have at most ${most} ids`)
    .meta({
      description: `Ids of at most ${most} ${things}`,
      examples: [["01900000-0000-7000-8000-000000000000"]],
    });

const reportFields = z.object({
  frequency: oneOf(frequencies).describe(
    "When a report comes: on Mondays or on the first of the month, at eight in `time_zone`",
  ),
  workspaces: ids("workspaces that it covers"),
  tags: ids("tags that it covers, of any workspace of the user"),
});
const aboutReports = "Reports by mail";
const notices = z
  .boolean("must be true or false")
  .describe("Whether alerts, domains, webhooks and jobs send mail");
const time_zone = timeZone.unwrap().nullable().describe("IANA time zone of reports; null means UTC");

/** What a person wants by mail. */
export interface Preferences {
  reports: z.infer<typeof reportFields>;
  notices: boolean;
  time_zone: string | null;
}
const preferences = named<Preferences>(
  "Preferences",
  z.object({ reports: reportFields.describe(aboutReports), notices, time_zone }),
);

/** Without what a person ($1) has unsubscribed from, and workspaces they have left. */
async function read(database: Database, personId: string): Promise<Preferences> {
  const isOff = (topic: string) =>
    `exists (select from mail_opt_outs where account_id = p.id and topic = '${topic}')`;
  const subjects = `report_subjects s join members m on m.workspace_id = s.workspace_id and m.user_id = s.account_id
    where s.account_id = p.id and`;
  const { rows } = await database.query<Preferences>({
    name: "preferences",
    text: `select jsonb_build_object(
               'frequency', case when ${isOff("reports")} then 'never' else coalesce(report_frequency, 'never') end,
               'workspaces', array(select s.workspace_id from ${subjects} tag_id is null order by 1),
               'tags', array(select tag_id from ${subjects} tag_id is not null order by 1)) as reports,
             not ${isOff("notices")} as notices, time_zone
           from workspaces p left join preferences on account_id = p.id where p.id = $1`,
    values: [personId],
  });
  const [row] = rows;
  if (!row) throw notFound("Account"); // it was erased a moment ago
  return row;
}

const get = personalProcedure
  .meta({
    scope: "account",
    route: "GET /v1/me/preferences",
    tag: "Account",
    summary: "Get preferences",
    successDescription: "What the user wants by mail",
  })
  .output(preferences)
  .query(({ ctx: { deps, account } }) => read(deps.pool, account.id));

/** Changes what is given. A topic that an unsubscribe link switched off can be on again. */
const update = personalProcedure
  .meta({
    scope: "account",
    route: "PATCH /v1/me/preferences",
    tag: "Account",
    summary: "Update preferences",
    description:
      "Reports go only to a verified address. Without `workspaces` and `tags`, they cover the workspace that the request is for.",
    example: { reports: { frequency: "weekly" } },
    successDescription: "The updated preferences",
    errors: [404],
  })
  .input(
    fieldsOf({
      reports: fieldsOf(reportFields.partial().shape).describe(aboutReports).optional(),
      notices: notices.optional(),
      time_zone: time_zone.optional(),
    }).prefault({}),
  )
  .output(preferences)
  .mutation(async ({ ctx, input }) => {
    const { account, actor, deps } = ctx;
    const current = actor.kind === "account" ? actor.account.id : account.id;
    const saved = await inTransaction(deps.pool, async (database) => {
      // Changes of one person's preferences follow each other.
      await database.query("select from workspaces where id = $1 for no key update", [account.id]);
      const before = await read(database, account.id);
      const wanted = { ...before, ...withoutUndefined(input) };
      const reports = { ...before.reports, ...withoutUndefined(input.reports ?? {}) };
      const isOn = reports.frequency !== "never";
      if (isOn && reports.workspaces.length + reports.tags.length === 0) reports.workspaces = [current];
      const topics = { pool: database, clock: deps.clock };
      await setTopic(topics, account.id, "notices", wanted.notices);
      if (isOn) await setTopic(topics, account.id, "reports", true);
      await saveSubjects(database, account.id, reports);
      await save(database, account.id, { ...wanted, reports }, deps.clock());
      return read(database, account.id);
    });
    await recordActivity(deps, actorOf(ctx), "preferences_changed", saved.reports.frequency);
    return saved;
  });

/** Saves what reports cover; 404 for what the person cannot reach. */
async function saveSubjects(
  database: Database,
  personId: string,
  { workspaces, tags }: Preferences["reports"],
) {
  const [ofWorkspaces, ofTags] = [new Set(workspaces), new Set(tags)];
  await database.query("delete from report_subjects where account_id = $1", [personId]);
  const { rows } = await database.query<{ tag_id: string | null }>(
    `insert into report_subjects (account_id, workspace_id, tag_id)
     select user_id, w.id, null::uuid from members join workspaces w on w.id = workspace_id
     where user_id = $1 and w.id = any ($2::uuid[]) and w.erased_at is null
     union all select user_id, workspace_id, t.id from members join tags t on t.account_id = workspace_id
     where user_id = $1 and t.id = any ($3::uuid[])
     returning tag_id`,
    [personId, sqlArray([...ofWorkspaces].filter(isId)), sqlArray([...ofTags].filter(isId))],
  );
  const tagCount = rows.filter(({ tag_id }) => tag_id !== null).length;
  if (rows.length - tagCount < ofWorkspaces.size) throw notFound("Workspace");
  if (tagCount < ofTags.size) throw notFound("Tag");
}

/** Saves when reports are due: one that is due already stays so, unless the frequency changes. */
async function save(database: Database, personId: string, wanted: Preferences, now: Date): Promise<void> {
  const { frequency } = wanted.reports;
  const next = frequency === "never" ? null : duePeriod(frequency, wanted.time_zone ?? "UTC", now).next;
  await database.query(
    `insert into preferences as p (account_id, report_frequency, time_zone, report_at) values ($1, $2, $3, $4)
     on conflict (account_id) do update set report_frequency = $2, time_zone = $3,
       report_at = case when p.report_frequency = $2 then least(p.report_at, $4) else $4 end`,
    [personId, frequency, wanted.time_zone, next],
  );
}

export const preferencesRouter = router({ get, update });
