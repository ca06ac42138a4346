import * as z from "zod";
import { baseOf, openPeerApi } from "../peer-api.ts";
import type { Source } from "../source.ts";
import { losses, toLink } from "./link.ts";

export interface KuttOptions {
  url: string;
  key: string;
  /** Where links of Kutt's default domain go; undefined: the service's own host */
  domain?: string | undefined;
  interrupt: AbortSignal;
}

/** Kutt gives no more at once. */
const linksPerPage = 50;

const link = z.object({
  link: z.string(),
  address: z.string(),
  target: z.string(),
  /** Null for the default domain */
  domain: z.string().nullish(),
  description: z.string().nullish(),
  password: z.boolean(),
  banned: z.boolean().default(false),
  expire_in: z.string().nullish(),
  visit_count: z.int().min(0),
  created_at: z.string(),
});
const answer = z.object({ total: z.int().min(0), data: z.array(link) });

/** Reads links from Kutt's REST API (version 2). It has totals of clicks only. */
export function openKutt({ url, key, domain, interrupt }: KuttOptions): Source {
  const base = baseOf(url);
  const headers = { "X-Api-Key": key };
  const api = openPeerApi({ title: "Kutt", base: `${base}/api/v2`, headers, interrupt });
  const page = (skip: number, limit = linksPerPage) => api.get(`/links?limit=${limit}&skip=${skip}`, answer);

  return {
    name: "kutt",
    title: `Kutt at ${base}`,
    survey: async () => ({ links: (await page(0, 1)).total, visits: 0, losses }),
    async *links() {
      // The newest come first: a link added in the meantime moves the others, so that one is read twice and none is missed.
      const seen = new Set<string>();
      for (let skip = 0, total = 1; skip < total; skip += linksPerPage) {
        const answered = await page(skip);
        total = answered.total;
        for (const each of answered.data) {
          if (!seen.has(each.link)) yield toLink({ ...each, name: each.link }, domain);
          seen.add(each.link);
        }
      }
    },
    async *visits() {
      // Kutt has none.
    },
  };
}
