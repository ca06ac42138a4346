import type { Base } from "../db/base.ts";
import { lease } from "../db/lease.ts";
import { backgroundLoop } from "../kernel/async/background-loop.ts";
import { coreEvent } from "../kernel/events.ts";
import { mayDo, type Role } from "../kernel/roles.ts";
import {
  type ListedMail,
  type MailKind,
  type MailKinds,
  type Mails,
  type MailSettings,
  topicOfKind,
} from "./mail.types.ts";
import { takesMail } from "./queue.ts";
import { renderMail, type StoredMail } from "./render.ts";
import { createSmtp, refusalOf, sendMs, type Smtp } from "./smtp.ts";
import { mailKey, topicOfToken, unsubscribe, unsubscribePath, unsubscribeToken } from "./unsubscribe.ts";

export type MailDeps = Pick<Base, "pool" | "clock" | "onEvent" | "meter"> & { readonly baseUrl: string };

/** Every kind that this version can render: a node of the version before leaves newer ones to the others. */
const kinds: Readonly<Record<MailKind, true>> = {
  sign_in: true,
  invitation: true,
  security: true,
  alert_fired: true,
  domain_failed: true,
  webhook_off: true,
  job_ended: true,
  report: true,
};

const atOnce = 4;
const pauseMs = 1000;
/** Longer than the server may take for a mail, so that no other node sends it in the meantime. */
const leaseMs = 2 * sendMs;
/** Seconds until the next try after each failure; the last one repeats until the mail expires. */
const backOff = [5, 20, 60, 300, 900, 3600];

interface LeasedMail extends StoredMail {
  id: string;
  account_id: string | null;
  address: string;
  attempts: number;
  lease: string;
}

/**
 * Sends what `queueMail` has queued. Several nodes share the work: each leases mails, so that no two send the same one. A node
 * that dies between the server's answer and its record sends the mail again, with the same Message-ID.
 */
export function createMails(deps: MailDeps, settings: MailSettings | undefined): Mails {
  let smtp: Smtp | null = null;

  async function sendBatch(): Promise<{ leased: number; sent: number }> {
    if (settings === undefined) return { leased: 0, sent: 0 };
    const mails = await leaseDue(deps);
    if (mails.length === 0) return { leased: 0, sent: 0 };
    smtp ??= createSmtp(settings);
    const server = smtp;
    const key = await mailKey(deps);
    const results = await Promise.allSettled(mails.map((mail) => sendOne(deps, server, key, mail)));
    const failed = results.find((result) => result.status === "rejected");
    if (failed) throw failed.reason;
    return {
      leased: mails.length,
      sent: results.filter((result) => result.status === "fulfilled" && result.value).length,
    };
  }

  const loop = backgroundLoop({
    async runOnce() {
      while (!loop.signal.aborted && (await sendBatch()).leased === atOnce);
      return pauseMs;
    },
    retryMs: pauseMs,
    onFailure: (err) => deps.onEvent(coreEvent("mails_failing", { err })),
    onRecovery: () => deps.onEvent(coreEvent("mails_restored")),
  });

  return {
    isSet: settings !== undefined,
    async sendDue() {
      for (let total = 0; ; ) {
        const { leased, sent } = await sendBatch();
        total += sent;
        if (leased === 0) return total;
      }
    },
    list: (limit = 100) => listMails(deps, limit),
    topicOf: (token) => topicOfToken(deps, token),
    unsubscribe: (token) => unsubscribe(deps, token),
    start: settings === undefined ? () => {} : loop.start,
    async close() {
      await loop.stop();
      smtp?.close();
    },
  };
}

/** Leases mails that are due, except notices to an address that refused one. */
const leaseDue = ({ pool, clock }: MailDeps): Promise<LeasedMail[]> => {
  const now = clock();
  return lease<LeasedMail>(pool, {
    name: "lease-mails",
    table: "mails",
    due: `where sent_at is null and failed_at is null and next_at <= $1 and expires_at > $1
            and (leased_until is null or leased_until <= $1) and kind = any ($2)
          order by next_at`,
    limit: atOnce,
    set: "lease = gen_random_uuid(), leased_until = $3, attempts = attempts + 1",
    returning: "mails.id, account_id, address, language, kind, data, secret, attempts, lease",
    values: [now, Object.keys(kinds), new Date(now.getTime() + leaseMs)],
  });
};

/** Sends a leased mail and records the outcome. Rejects if the server could not be used; the mail is then tried again. */
async function sendOne(deps: MailDeps, smtp: Smtp, key: Buffer, mail: LeasedMail): Promise<boolean> {
  const topic = topicOfKind(mail.kind);
  if (topic !== null && (await refusedBefore(deps, mail.address))) {
    await end(deps, mail, "failed_at", "the address refused an earlier mail");
    return false;
  }
  const unsubscribeUrl =
    topic === null || mail.account_id === null
      ? null
      : `${deps.baseUrl.replace(/\/+$/, "")}${unsubscribePath}?token=${unsubscribeToken(key, mail.account_id, topic)}`;
  const current = mail.kind === "report" ? await readableNow(deps, mail) : mail;
  if (current === null) {
    await end(deps, mail, "failed_at", "the person may no longer read it");
    return false;
  }
  const rendered = renderMail(current, { baseUrl: deps.baseUrl, unsubscribeUrl });
  try {
    await smtp.send({ id: mail.id, to: mail.address, unsubscribeUrl, ...rendered });
  } catch (error) {
    const { isFinal, isOfAddress, isOfMail, problem } = refusalOf(error);
    if (!isFinal) {
      await postpone(deps, mail, problem);
      if (isOfMail) return false;
      throw error;
    }
    await end(deps, mail, "failed_at", problem);
    if (isOfAddress) await noteRefusal(deps, mail.address, problem);
    deps.onEvent(coreEvent("mail_refused", { kind: mail.kind, problem }));
    return false;
  }
  await end(deps, mail, "sent_at", null);
  return true;
}

/** A report without the workspaces that its reader has left since it was queued; null if nothing remains. */
async function readableNow({ pool }: MailDeps, mail: LeasedMail): Promise<LeasedMail | null> {
  const { rows } = await pool.query<{ id: string; role: Role }>({
    name: "readable-reports",
    text: `select w.id, m.role from members m join workspaces w on w.id = m.workspace_id join workspaces p on p.id = m.user_id
           where p.id = $1 and p.email = $2 and w.suspended_at is null and w.deletes_at is null
             and ${takesMail("p", "'reports'")}`,
    values: [mail.account_id, mail.address],
  });
  const roles = new Map(rows.map(({ id, role }) => [id, role]));
  const report = mail.data as MailKinds["report"]["data"];
  const sections = report.sections.flatMap(({ lists, ...section }) => {
    const role = roles.get(section.workspace);
    if (role === undefined || !mayDo(role, "analytics:read")) return [];
    return [{ ...section, lists: lists.filter(({ kind }) => kind !== "fired" || mayDo(role, "webhooks")) }];
  });
  return sections.length === 0 ? null : { ...mail, data: { ...report, sections } };
}

/** The row keeps what an operator may read, and loses its secrets. */
async function end(
  { pool, clock }: MailDeps,
  { id, lease: own, address }: LeasedMail,
  column: "sent_at" | "failed_at",
  problem: string | null,
): Promise<void> {
  await pool.query(
    `update mails set ${column} = $3, secret = null, lease = null, leased_until = null, problem = $4
     where id = $1 and lease = $2`,
    [id, own, clock(), problem],
  );
  if (column === "sent_at") await pool.query("delete from mail_refusals where address = $1", [address]);
}

async function postpone(
  { pool, clock }: MailDeps,
  { id, lease: own, attempts }: LeasedMail,
  problem: string,
): Promise<void> {
  const seconds = backOff[Math.min(attempts, backOff.length) - 1] as number;
  // Up to a fifth longer, so that mails do not all come back at once.
  const next = new Date(clock().getTime() + seconds * 1000 * (1 + Math.random() / 5));
  await pool.query(
    "update mails set next_at = $3, lease = null, leased_until = null, problem = $4 where id = $1 and lease = $2",
    [id, own, next, problem],
  );
}

/** Days for which an address that refused a mail gets no notices */
export const refusalDays = 30;

async function refusedBefore({ pool, clock }: MailDeps, address: string): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: "mail-refused-before",
    text: `select from mail_refusals where address = $1 and at > $2::timestamptz - interval '${refusalDays} days'`,
    values: [address, clock()],
  });
  return rowCount === 1;
}

const noteRefusal = ({ pool, clock }: MailDeps, address: string, problem: string) =>
  pool.query(
    `insert into mail_refusals (address, at, problem) values ($1, $2, $3)
     on conflict (address) do update set at = excluded.at, problem = excluded.problem`,
    [address, clock(), problem],
  );

/** Implements `Mails.list`. Rows that were never meant to be sent expired when they were made; they are not shown. */
export async function listMails(
  { pool, clock, baseUrl }: Pick<MailDeps, "pool" | "clock" | "baseUrl">,
  limit: number,
): Promise<ListedMail[]> {
  const { rows } = await pool.query<
    LeasedMail & { created_at: string; at: string; status: ListedMail["status"]; problem: string | null }
  >(
    `select id, kind, address, language, data, attempts, created_at, problem,
       case when sent_at is not null then 'sent' when failed_at is not null then 'failed'
         when expires_at <= $1 then 'expired' else 'waiting' end as status,
       coalesce(sent_at, failed_at, least(next_at, expires_at)) as at
     from mails where expires_at > created_at and kind = any ($2) order by created_at desc, id desc limit $3`,
    [clock(), Object.keys(kinds), limit],
  );
  return rows.map(({ id, kind, address, status, attempts, problem, created_at, at, ...mail }) => {
    const { subject, text } = renderMail({ ...mail, kind, secret: null }, { baseUrl, unsubscribeUrl: null });
    return {
      id,
      kind,
      address,
      status,
      subject,
      text,
      created_at: new Date(created_at).toISOString(),
      attempts,
      at: new Date(at).toISOString(),
      problem,
    };
  });
}
