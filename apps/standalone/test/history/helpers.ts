import type { Core } from "@terse/core";
import { createTestCore } from "@terse/core/testing";
import { type HistoryJob, importHistory } from "../../src/history/import-history.ts";
import type { Source } from "../../src/history/source.ts";
import type { ImportReport } from "../../src/history/report.ts";

interface Options extends Partial<HistoryJob> {
  core?: Core;
}

/** A core of its own, and a Pro account in it. */
export async function historyCore() {
  const { core, actor, databaseUrl, close } = await createTestCore();
  const owner = await actor("pro");
  const caller = core.caller(owner);

  return {
    core,
    caller,
    databaseUrl,
    close,
    account: owner.account,
    run: (source: Source, { core: other = core, ...options }: Options = {}) =>
      importHistory(other, {
        source,
        account: owner.account,
        dryRun: false,
        yes: true,
        result: null,
        interrupt: never,
        say: () => {},
        ...options,
      }),
    /** The link with this slug. */
    async linkOf(slug: string) {
      const { data } = await caller.links.list({ search: slug, limit: 100 });
      const link = data.find((each) => each.slug === slug);
      if (!link) throw new Error(`No link has the slug ${slug}`);
      return link;
    },
  };
}

export const never = new AbortController().signal;

/** What became of the visits that an import found. */
export const sumOf = ({ clicks, bots, before, lost }: ImportReport["visits"]) =>
  clicks + bots + before + Object.values(lost).reduce((sum, visits) => sum + visits, 0);
