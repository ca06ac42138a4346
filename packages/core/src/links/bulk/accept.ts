import type { AccountCall, Call } from "../call.ts";
import { forEachYielding } from "../../kernel/async/waiting.ts";
import { domainName } from "../../domains/domain-name.ts";
import { assertNotOwnHost } from "../../domains/redirect-loops.ts";
import { AppError } from "../../kernel/errors.ts";
import { ownDomainId } from "../../kernel/host-names.ts";
import { assertNotBlocked } from "../../safety/screening/screening.ts";
import { parseOr400 } from "../../kernel/validation/issues.ts";
import type { NewLinkRow } from "../insert.ts";
import { demandFields, domainOf, type NewLink, newLinkFields, rowOf, verifiedDomains } from "../new-link.ts";
import { destinationsOf } from "../options.ts";
import { bytesOf } from "../../redirects/link-bytes.ts";
import { refuseEndBeforeStart } from "../times.ts";
import { screeningOf } from "./screening.ts";
import type { OnError, Outcome } from "./outcome.ts";

/** The steps of `links.create`, each for all links before the next one, with one statement where that one has one a link. */

/** A link that may be created. */
export interface Checked {
  index: number;
  /** The id that the link must have, if it does not get a new one */
  id?: string | undefined;
  input: NewLink;
  domain_id: string;
}

/** A link with its row, and the room that was taken for it. */
export interface Accepted extends Checked {
  row: Omit<NewLinkRow, "slug">;
  bytes: number;
}

/** Refuses what a single creation would refuse because of what is sent, before it counts as a creation. */
export async function checkLinks(ctx: Call, links: readonly unknown[], outcome: Outcome): Promise<Checked[]> {
  const parsed: [index: number, input: NewLink][] = [];
  await forEachYielding(links.entries(), ([index, sent]) => {
    outcome.passes(index, () => {
      demandFields(ctx, sent);
      const input = parseOr400(newLinkFields, sent);
      refuseEndBeforeStart(input);
      parsed.push([index, input]);
    });
  });
  let domains: ReturnType<typeof verifiedDomains> | undefined;
  const verified = () => (domains ??= verifiedDomains(ctx));
  const placed: Checked[] = [];
  for (const [index, input] of parsed) {
    const domain_id = await outcome.valueOf(index, domainOf(ctx, input.domain, verified));
    if (domain_id === undefined) continue;
    if (!outcome.passes(index, () => assertNotOwnHost(ctx.deps, destinationsOf(input)))) continue;
    const domain = domain_id === ownDomainId ? undefined : domainName(input.domain ?? "");
    placed.push({ index, input: { ...input, domain }, domain_id });
  }
  return placed;
}

/**
 * Counts the links as creations and refuses those beyond the limit. Throws 429 if it leaves none, or not all although they
 * are wanted together; 400 if there are more than the limit ever allows.
 */
export async function chargeFor(
  ctx: AccountCall,
  links: readonly Checked[],
  onError: OnError,
  outcome: Outcome,
): Promise<readonly Checked[]> {
  const { deps, account, reply } = ctx;
  const { link_creations_per_minute: limit } = deps.plans[account.plan].limits;
  if (onError === "stop" && links.length > limit) {
    const message = `links: ${links.length} together are more than the ${limit} creations a minute of this plan; send fewer, or on_error "continue"`;
    throw new AppError("BAD_REQUEST", message);
  }
  const mode = onError === "stop" ? "all or none" : "some";
  const { taken, refusal } = await deps.creationLimit.takeMany({ account, reply }, links.length, mode);
  if (refusal === null) return links;
  if (taken === 0) throw refusal;
  for (const { index } of links.slice(taken)) outcome.refuse(index, refusal);
  return links.slice(0, taken);
}

/** Refuses links to blocked hosts. */
export async function screenLinks(
  { deps }: Call,
  links: readonly Checked[],
  outcome: Outcome,
): Promise<Checked[]> {
  const screening = await screeningOf(
    deps,
    links.flatMap(({ input }) => destinationsOf(input)),
  );
  const allowed: Checked[] = [];
  for (const link of links) {
    const check = assertNotBlocked(screening, destinationsOf(link.input)).then(() => link);
    if (await outcome.valueOf(link.index, check)) allowed.push(link);
  }
  return allowed;
}

/** Makes the rows, and refuses those for which the account has no room. The caller gives back what it does not use. */
export async function makeRows(
  ctx: AccountCall,
  links: readonly Checked[],
  outcome: Outcome,
): Promise<Accepted[]> {
  const made: Accepted[] = [];
  for (const link of links) {
    const row = await outcome.valueOf(link.index, rowOf(ctx, link.input, link.domain_id));
    if (row && link.id !== undefined) row.id = link.id;
    if (row) made.push({ ...link, row, bytes: bytesOf({ ...row, tags: link.input.tags }) });
  }
  return takeRoom(ctx, made, outcome);
}

/** Refuses links for which the account has no room. */
async function takeRoom<Link extends { index: number; bytes: number }>(
  { deps, account }: AccountCall,
  links: readonly Link[],
  outcome: Outcome,
): Promise<Link[]> {
  const wanted = links.map(({ bytes }) => ({ links: 1, bytes }));
  const { taken, refusal } = await deps.storage.takeSome(account, wanted);
  for (const { index } of links.slice(taken)) outcome.refuse(index, refusal);
  return links.slice(0, taken);
}

/** Refuses links for which the account has no room now, and takes none. Options are not counted. */
export async function foreseeRoom(
  ctx: AccountCall,
  links: readonly Checked[],
  outcome: Outcome,
): Promise<Checked[]> {
  const sized = links.map((link) => {
    const { url: destination, title, notes, qr, tags } = link.input;
    return { ...link, bytes: bytesOf({ destination, title, notes, qr, tags }) };
  });
  const fitting = await takeRoom(ctx, sized, outcome);
  ctx.deps.storage.release(ctx.account.id, fitting.length, bytesIn(fitting));
  return fitting;
}

export const bytesIn = (links: readonly { bytes: number }[]) =>
  links.reduce((sum, { bytes }) => sum + bytes, 0);
