import { hostnameOf, type ShortHost } from "../kernel/host-names.ts";

/** What makes a destination a loop, as far as it needs no ORM; domains/redirect-loops.ts has the rest. */

/**
 * SQL that is true if a destination on this row of `domains` is a loop: any verified domain, and the account's own with
 * any status, even deleted while it has links, because it may be verified again.
 */
const isLoop = (account: string) => `(status = 'verified' or account_id = ${account}
  and (deleted_at is null or exists (select from links where domain_id = domains.id)))`;

/**
 * SQL that selects those of `hosts` that are short-link hosts; both arguments are placeholders, a text[] and an account's id.
 */
export const loopsAmong = (hosts: string, account: string) =>
  `select domain from domains where domain = any(${hosts}) and ${isLoop(account)}`;

/** SQL that is true if none of `hosts` is a short-link host. */
export const noLoop = (hosts: string, account: string) => `not exists (${loopsAmong(hosts, account)})`;

/** If the short-link host has its own port, as in a local run, other ports of that machine are not a loop. */
export function isOwnHost({ shortHost }: { shortHost: ShortHost }, url: URL): boolean {
  return hostnameOf(url) === shortHost.hostname && (shortHost.port === "" || url.port === shortHost.port);
}
