import { createHmac, timingSafeEqual } from "node:crypto";
import type { Base } from "../db/base.ts";
import type { Database } from "../db/statements.ts";
import { type MailTopic, mailTopics, topicOf } from "./mail.types.ts";

type Deps = Pick<Base, "pool" | "clock">;

/** The path of the page and of one click (RFC 8058); the token follows as `token`. */
export const unsubscribePath = "/mail/unsubscribe";

/** The key of this service, which its first migration drew. */
export async function mailKey({ pool }: Pick<Base, "pool">): Promise<Buffer> {
  const { rows } = await pool.query<{ key: Buffer }>({ name: "mail-key", text: "select key from mail_keys" });
  const [row] = rows;
  if (row === undefined) throw new Error("The table mail_keys is empty");
  return row.key;
}

const macOf = (key: Buffer, body: string): Buffer =>
  createHmac("sha256", key).update(`unsubscribe ${body}`).digest().subarray(0, 16);

/** A token that switches off one topic of one person. It never expires, and can do nothing else. */
export function unsubscribeToken(key: Buffer, accountId: string, topic: MailTopic): string {
  const body = `${accountId}.${topic}`;
  return `${body}.${macOf(key, body).toString("base64url")}`;
}

/** Whom and what a token is for, or null if it is not one of ours. */
export function readToken(key: Buffer, token: string): { accountId: string; topic: MailTopic } | null {
  const [, accountId, topic, mac] = /^([\da-f-]{36})\.([a-z]+)\.([\w-]{22})$/.exec(token) ?? [];
  if (accountId === undefined || mac === undefined) return null;
  const found = mailTopics.find((each) => each === topic);
  if (found === undefined) return null;
  const isRight = timingSafeEqual(macOf(key, `${accountId}.${found}`), Buffer.from(mac, "base64url"));
  return isRight ? { accountId, topic: found } : null;
}

/** Implements `Mails.topicOf`. */
export const topicOfToken = async (deps: Deps, token: string): Promise<MailTopic | null> =>
  readToken(await mailKey(deps), token)?.topic ?? null;

/** Implements `Mails.unsubscribe`. What waits to be sent to the person is not sent either. */
export async function unsubscribe(deps: Deps, token: string): Promise<MailTopic | null> {
  const read = readToken(await mailKey(deps), token);
  if (read === null) return null;
  await setTopic(deps, read.accountId, read.topic, false);
  const kinds = Object.entries(topicOf).flatMap(([kind, topic]) => (topic === read.topic ? [kind] : []));
  await deps.pool.query(
    "delete from mails where account_id = $1 and kind = any ($2) and sent_at is null and failed_at is null",
    [read.accountId, kinds],
  );
  return read.topic;
}

/** Switches a topic on or off for a person; `pool` may be the connection of a transaction. */
export async function setTopic(
  { pool, clock }: { readonly pool: Database; readonly clock: () => Date },
  accountId: string,
  topic: MailTopic,
  isOn: boolean,
): Promise<void> {
  await pool.query(
    isOn
      ? "delete from mail_opt_outs where account_id = $1 and topic = $2 and $3::timestamptz is not null"
      : `insert into mail_opt_outs (account_id, topic, at) select id, $2, $3 from workspaces where id = $1
         on conflict do nothing`,
    [accountId, topic, clock()],
  );
}
