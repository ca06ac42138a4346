import type { Base } from "../db/base.ts";
import type { Database } from "../db/statements.ts";
import { ownerEmail } from "../kernel/names.ts";
import { rolesWith } from "../kernel/roles.ts";
import { type Mail, type MailKind, type Recipient, topicOfKind } from "./mail.types.ts";

/** How long each kind of mail is worth sending, in minutes. */
const worthMinutes: Readonly<Record<MailKind, number>> = {
  sign_in: 10,
  invitation: 3 * 24 * 60,
  security: 3 * 24 * 60,
  alert_fired: 24 * 60,
  domain_failed: 24 * 60,
  webhook_off: 24 * 60,
  job_ended: 24 * 60,
  report: 2 * 24 * 60,
};

/**
 * Queues a mail, in the transaction of what it tells (`database` is its connection), so that it is sent if and only if that
 * commits. Never waits for a server:
 *
 *     await queueMail(database, deps, { person: account.id }, { kind: "domain_failed", data: { domain, path: "/domains" } });
 *
 * With `isVoid` the row is written all the same but never sent, so that both cases take the same time.
 */
export async function queueMail(
  database: Database,
  { clock, newId }: Pick<Base, "clock"> & { readonly newId: () => string },
  to: Recipient,
  mail: Mail,
  { isVoid = false } = {},
): Promise<void> {
  const { kind, data } = mail;
  const now = clock();
  const expires = isVoid ? now : new Date(now.getTime() + worthMinutes[kind] * 60_000);
  const secret = "secret" in mail && !isVoid ? JSON.stringify(mail.secret) : null;
  const values = [newId(), kind, JSON.stringify(data), secret, now, expires];
  const columns = "id, kind, data, secret, created_at, next_at, expires_at, account_id, address, language";
  if ("address" in to) {
    await database.query({
      name: "queue-mail",
      text: `insert into mails (${columns}) values ($1, $2, $3, $4, $5, $5, $6, $7, $8, $9)`,
      values: [...values, to.account_id ?? null, to.address, to.language],
    });
    return;
  }
  if ("workspace" in to) {
    const { rows } = await database.query<{ user_id: string }>({
      name: "members-for-mail",
      text: `select m.user_id from members m join workspaces w on w.id = m.workspace_id
             where w.id = $1 and w.suspended_at is null and w.deletes_at is null and m.role = any ($2)`,
      values: [to.workspace, rolesWith(to.permission)],
    });
    for (const { user_id } of rows) await queueMail(database, { clock, newId }, { person: user_id }, mail);
    return;
  }
  await database.query({
    name: "queue-mail-to-person",
    text: `insert into mails (${columns})
           select $1, $2, $3, $4, $5, $5, $6, u.id, u.email, u.language from workspaces u
           where u.id = $7 and ${takesMail("u", "$8")}`,
    values: [...values, to.person, topicOfKind(kind)],
  });
}

/**
 * SQL: whether a person gets mail of a topic, which is SQL, too: at an address that is verified, while neither the operator nor
 * their company's directory keeps them out.
 */
export const takesMail = (person: string, topic: string): string =>
  `(${person}.email_verified and ${person}.email <> '${ownerEmail}' and ${person}.suspended_at is null
    and ${person}.deletes_at is null and not ${person}.deactivated
    and not exists (select from mail_opt_outs where account_id = ${person}.id and topic = ${topic}))`;
