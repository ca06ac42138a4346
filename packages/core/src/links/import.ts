import { createHash } from "node:crypto";
import * as z from "zod";
import type { Account } from "../kernel/context.ts";
import type { Deps } from "../deps.ts";
import { domainName, findLoops, loopReason } from "../domains/index.ts";
import { AppError } from "../kernel/errors.ts";
import { ownDomainId } from "../kernel/short-host.ts";
import { parseInput } from "../validation/issues.ts";
import { planRequired } from "../kernel/plans.ts";
import { urlInput } from "../redirects/index.ts";
import { columnsOfTags, demandRoomForTags, keyOfTag, splitTags, tagging, tagsInput } from "../tags/index.ts";
import { blockedReason, hostOfDestination } from "../screening/index.ts";
import type { Importer, ImportResult, ImportRow } from "./import.types.ts";
import { maxSlugAttempts, slugTakenMessage } from "./unique-slug.ts";
import { unverifiedReason } from "./new-link.ts";
import { slugInput, titleInput } from "./link.input.ts";
import { generateSlug } from "./slug.ts";
import { bytesOf } from "./storage.ts";

interface Candidate {
  at: number;
  id: string;
  domain_id: string;
  domain: string | undefined;
  slug: string | undefined;
  url: string;
  title: string | null;
  tags: string[];
}
interface Stored {
  id: string;
  slug: string;
  destination: string;
  is_new: boolean;
}

const rowInput = z.object({
  url: urlInput,
  slug: slugInput.optional(),
  title: titleInput.optional(),
  tags: tagsInput.optional(),
});
const blank = (text: string | undefined) => (text === undefined || text.trim() === "" ? undefined : text);

/** See Importer. */
export function createImporter(deps: Deps): Importer {
  return {
    async importBatch(account, rows) {
      const results: ImportResult[] = [];
      const reject = (at: number, reason: string) => {
        results[at] = { status: "rejected", reason };
      };
      const candidates = await candidatesOf(deps, account, rows, reject);
      let open = await withRoom(
        deps,
        account,
        await withRoomForTags(deps, account, candidates, reject),
        reject,
      );
      // Further rounds are for generated slugs that were taken.
      for (let round = 1; open.length > 0 && round <= maxSlugAttempts; round++) {
        const stored = await store(deps, account, open);
        for (const candidate of open) {
          const link = stored.get(candidate.id);
          if (link) {
            results[candidate.at] = {
              status: link.is_new ? "created" : "exists",
              id: link.id,
              short_url: deps.shortHost.urlOf(link.slug, candidate.domain),
              destination: link.destination,
            };
          } else if (candidate.slug !== undefined) {
            reject(candidate.at, slugTakenMessage(candidate.slug));
          }
        }
        open = open.filter(({ at }) => results[at] === undefined);
      }
      for (const { at } of open) reject(at, "no free slug was found; run the import again");
      return results;
    },
  };
}

async function candidatesOf(
  deps: Deps,
  account: Account,
  rows: readonly ImportRow[],
  reject: (at: number, reason: string) => void,
): Promise<Candidate[]> {
  const domains = await verifiedDomains(deps, account);
  const candidates: Candidate[] = [];
  for (const [at, row] of rows.entries()) {
    const parsed = parseInput(rowInput, {
      url: row.url,
      slug: blank(row.slug),
      title: blank(row.title),
      tags: splitTags(row.tags ?? ""),
    });
    const domainCell = blank(row.domain);
    const domain = domainCell && domainName(domainCell);
    const domain_id = domain === undefined ? ownDomainId : domains.get(domain);
    if (!parsed.ok) {
      reject(at, parsed.reason);
    } else if (domain !== undefined && !deps.plans[account.plan].features.custom_domains) {
      reject(at, `domain: ${planRequired(deps.plans, "custom_domains")}`);
    } else if (domain_id === undefined) {
      reject(at, unverifiedReason);
    } else {
      const { url, slug, title = null, tags = [] } = parsed.value;
      candidates.push({ at, id: idOf(account, row), domain_id, domain, slug, url, title, tags });
    }
  }
  const loops = await findLoops(
    deps,
    account.id,
    candidates.map(({ url }) => url),
  );
  for (const { at, url } of candidates) if (loops.has(url)) reject(at, `url: ${loopReason}`);
  const hostOf = ({ url }: Candidate) => hostOfDestination(url);
  const blocked = await deps.screening.allBlocked(candidates.map(hostOf));
  for (const candidate of candidates) {
    const host = hostOf(candidate);
    if (blocked.has(host)) reject(candidate.at, `url: ${blockedReason(host)}`);
  }
  return candidates.filter((candidate) => !loops.has(candidate.url) && !blocked.has(hostOf(candidate)));
}

/** Rejects the new links for which the account has no room. Those of an earlier run need none. */
async function withRoom(
  { pool, storage }: Deps,
  account: Account,
  candidates: Candidate[],
  reject: (at: number, reason: string) => void,
): Promise<Candidate[]> {
  const { rows } = await pool.query<{ id: string }>("select id from links where id = any($1)", [
    candidates.map(({ id }) => id),
  ]);
  const present = new Set(rows.map(({ id }) => id));
  const added = candidates.filter(({ id }) => !present.has(id));
  const stored = added.map(({ url, slug, title, tags }) => ({
    links: 1,
    bytes: bytesOf({ destination: url, slug, title, tags }),
  }));
  const { taken, refusal } = await storage.takeSome(account, stored);
  const refused = new Set(added.slice(taken).map(({ at }) => at));
  for (const at of refused) reject(at, `url: ${refusal?.message}`);
  return candidates.filter(({ at }) => !refused.has(at));
}

/** Rejects links with tags if the account would have too many. */
async function withRoomForTags(
  { pool }: Deps,
  account: Account,
  candidates: Candidate[],
  reject: (at: number, reason: string) => void,
): Promise<Candidate[]> {
  const names = new Map(candidates.flatMap(({ tags }) => tags.map((name) => [keyOfTag(name), name])));
  try {
    await demandRoomForTags(pool, account.id, [...names.values()]);
    return candidates;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    for (const { at, tags } of candidates) if (tags.length > 0) reject(at, error.message);
    return candidates.filter(({ tags }) => tags.length === 0);
  }
}

async function verifiedDomains({ pool, shortHost }: Deps, account: Account): Promise<Map<string, string>> {
  const { rows } = await pool.query<{ id: string; domain: string }>(
    "select id, domain from domains where account_id = $1 and status = 'verified'",
    [account.id],
  );
  return new Map([[shortHost.host, ownDomainId], ...rows.map(({ id, domain }) => [domain, id] as const)]);
}

/** Inserts all candidates whose slug is free, and returns these with the ones that existed before. */
async function store({ pool, clock, randomBytes }: Deps, account: Account, candidates: Candidate[]) {
  const { rows } = await pool.query<Stored>(
    `with input as (
       select * from unnest($2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[])
         as t (id, domain_id, slug, destination, title)
     ), inserted as (
       insert into links (id, account_id, domain_id, slug, destination, title, created_at, updated_at, created_by)
       select id, $1, domain_id, slug, destination, title, $7, $7, 'import' from input
       on conflict do nothing
       returning id, slug, destination
     ),
     ${tagging(
       `select link_id, name, key from unnest($8::uuid[], $9::text[], $10::text[]) t (link_id, name, key)
        join inserted on inserted.id = link_id`,
       "$1::uuid",
       "new links",
     )}
     select id, slug, destination, true as is_new from inserted
     union all
     select l.id, l.slug, l.destination, false from links l join input using (id) where l.account_id = $1`,
    [
      account.id,
      candidates.map(({ id }) => id),
      candidates.map(({ domain_id }) => domain_id),
      candidates.map(({ slug }) => slug ?? generateSlug(randomBytes)),
      candidates.map(({ url }) => url),
      candidates.map(({ title }) => title),
      clock(),
      ...columnsOfTags(candidates),
    ],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** Returns a UUID of version 8 (RFC 9562 section 5.8) from a hash of what identifies the row. */
function idOf(account: Account, { url, slug, domain, occurrence }: ImportRow): string {
  const key = JSON.stringify([account.id, url.trim(), blank(slug) ?? "", blank(domain) ?? "", occurrence]);
  const bytes = createHash("sha256").update(key).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
