import { countOf } from "@terse/core";
import { baseOf, openPeerApi } from "../peer-api.ts";
import { dayOf, grouped, type Source } from "../source.ts";
import { allVisits, type RedirectRules, redirectRules, type ShortUrl, shortUrls } from "./answers.ts";
import { toLink, visitsOf } from "./links.ts";
import { rulesByDevice } from "./rules.ts";
import { readVisits, type VisitReader } from "./visits.ts";

export interface ShlinkOptions {
  url: string;
  key: string;
  /** Where links of Shlink's default domain go */
  domain?: string | undefined;
  interrupt: AbortSignal;
}

const linksPerPage = 500;

/** Reads short URLs and visits from Shlink's REST API (version 3, of Shlink 3 and later). */
export function openShlink({ url, key, domain, interrupt }: ShlinkOptions): Source {
  const base = baseOf(url);
  const api = openPeerApi({
    title: "Shlink",
    base: `${base}/rest/v3`,
    headers: { "X-Api-Key": key },
    interrupt,
  });
  /** Paths of the visits, by the links' names */
  const paths = new Map<string, string>();
  const page = (number: number, size: number) =>
    api.get(`/short-urls?page=${number}&itemsPerPage=${size}&orderBy=dateCreated-ASC`, shortUrls);

  async function rulesOf(shortUrl: ShortUrl, path: string): Promise<RedirectRules | null> {
    const { hasRedirectRules, deviceLongUrls, visitsCount } = shortUrl;
    const isShlink3 = visitsCount !== undefined;
    if (isShlink3) return deviceLongUrls ? rulesByDevice(deviceLongUrls) : null;
    return hasRedirectRules === false ? null : api.get(path, redirectRules);
  }

  return {
    name: "shlink",
    title: `Shlink at ${base}`,
    async survey() {
      const first = await page(1, 1);
      const { visits } = await api.get("/visits", allVisits);
      const orphans = visits.orphanVisits?.total ?? visits.orphanVisitsCount ?? 0;
      return {
        links: first.shortUrls.pagination.totalItems,
        visits: visits.nonOrphanVisits?.total ?? visits.visitsCount ?? 0,
        losses: [...(orphans > 0 ? [orphanLoss(orphans)] : []), ...losses],
      };
    },
    async *links() {
      for (let number = 1, pages = 1; number <= pages; number++) {
        const { data, pagination } = (await page(number, linksPerPage)).shortUrls;
        pages = pagination.pagesCount;
        for (const shortUrl of data) {
          const path = `/short-urls/${encodeURIComponent(shortUrl.shortCode)}`;
          const query = shortUrl.domain ? `?domain=${encodeURIComponent(shortUrl.domain)}` : "";
          const rules = await rulesOf(shortUrl, `${path}/redirect-rules${query}`);
          if (visitsOf(shortUrl) > 0) paths.set(shortUrl.shortUrl, `${path}/visits${query}`);
          yield toLink(shortUrl, domain, rules);
        }
      }
    },
    async *visits(taken, positions, log) {
      const reader: VisitReader = {
        api,
        pathOf: ({ name }) => paths.get(name) ?? "",
        until: new Date().toISOString(),
        log,
      };
      for (const link of taken) {
        if (!paths.has(link.name)) continue;
        yield* grouped(readVisits(reader, link, positions.get(link.id)), (visit) => String(dayOf(visit)));
      }
    },
  };
}

const orphanLoss = (visits: number) =>
  `${countOf(visits, "visit")} to the start page and to unknown short codes: they belong to no link.`;

const losses = [
  "Short URLs whose code has a slash, a dot or another character that slugs cannot have. The result names them.",
  "Short URLs with a redirect rule by city. The result names them.",
  "Tags of more than 50 characters, a short URL's tags beyond 20, and whether search engines may index it.",
  "Bot visits within a maximum of visits: past ones are deducted from the `click_limit`, which only counts people.",
  "Visitors' locations except the country, and which URL a redirect rule chose.",
  "Distinct visitors beyond place and browser, since Shlink gives no addresses: the number of visitors may be lower.",
];
