import { issue } from "../../kernel/issues.ts";
import { accountProcedure } from "../call.ts";
import * as z from "zod";
import { addedTo, assertNoLoops, type Destinations } from "../../domains/redirect-loops.ts";
import { destinationsOf, requireOptions, storedDestinationsOf } from "../../links/options.ts";
import { findLink } from "../../links/link.row.ts";
import { optionInputs } from "../../redirects/rules/rules.ts";
import { reading } from "../../rpc/call.ts";
import { urlInput } from "../../redirects/destination.ts";
import { assertNotBlocked } from "../../safety/screening/screening.ts";
import { fieldsOf } from "../../kernel/validation/inputs.ts";
import { spanOf, windowFields } from "../analytics.input.ts";
import { selectionOf } from "../questions/conditions.ts";
import {
  type ClickSource,
  requireRawClicks,
  fromClicks,
  historyIn,
  withReportSlot,
} from "../questions/source.ts";
import { linkScope } from "../question.ts";
import { windowsOf } from "../periods/periods.ts";
import { type Choices, factsFor, outcomesOf } from "./outcome.ts";
import { knownTest, type PastClick, readPastClicks, timesFor } from "./past-clicks.ts";
import { forEachYielding } from "../../kernel/async/waiting.ts";

/** Moved clicks and unknown clicks have at most this many examples each. */
export const maxExamples = 5;

const { rules, geo_rules, ab_test } = optionInputs;
const draftFields = fieldsOf({
  destination: urlInput.optional(),
  rules: rules.describe("Instead of the link's rules; null or an empty list for none"),
  geo_rules: geo_rules.describe("Instead of the link's country rules; null or an empty list for none"),
  ab_test: ab_test.describe("Instead of the link's A/B test; null for none"),
});

const count = z.int().min(0);
const fact = (name: string) => z.string().nullable().describe(`${name}; null if unknown or irrelevant`);

const end = (example: string, meaning: string) =>
  z
    .string()
    .nullable()
    .describe(`${meaning}; null if unknown`)
    .meta({ examples: [example] });

/** Returns where a link's past clicks would have gone with other rules, by the function that redirects. */
export const whatIf = accountProcedure
  .meta({
    scope: "analytics:read",
    storesNothing: true,
    route: "POST /v1/links/{id}/what-if",
    tag: "Analytics",
    summary: "Compare rules by a link's past clicks",
    description:
      "Where past clicks would have gone with the draft, compared with the link as it is now; at most 120 times a minute. Fields missing from the draft stay as they are. Visitors' language, query and address are not stored, hosts of one source are stored as one, and A/B variants are only known since the test last changed: clicks whose outcome depends on any of these count as `unknown`. Nothing is saved.",
    example: { period: "30d", draft: { geo_rules: [{ country: "DE", url: "https://example.com/de" }] } },
    successDescription: "How many clicks would go where",
    errors: [404, 429],
  })
  .input(
    fieldsOf({
      id: z.string(),
      period: windowFields.period,
      tz: windowFields.tz,
      draft: draftFields.describe("The changes to try; URLs and options that could not be saved are refused"),
    }),
  )
  .output(
    z.object({
      clicks: count.describe("Clicks of the period, without those of bots"),
      moved: count.describe("Of these, those that would go elsewhere"),
      unknown: count.describe("Of these, those whose destination is unknown, with or without the draft"),
      destinations: z
        .array(
          z.object({
            url: z.string(),
            before: count.describe("Clicks that go there with the link as it is"),
            after: count.describe("Clicks that would go there with the draft"),
          }),
        )
        .describe("Most clicks first; `before` and `after` both add up to `clicks` without `unknown`"),
      examples: z
        .array(
          z.object({
            at: z.iso.datetime().describe("Time of one of these clicks"),
            country: fact("Country, ISO 3166-1 alpha-2"),
            device: fact("Device"),
            os: fact("Operating system"),
            browser: fact("Browser"),
            referrer: fact("Referrer host"),
            clicks: count
              .min(1)
              .describe("Clicks of the period that the link and the draft treat like this one"),
            before: end("https://example.com/launch", "Where the link sends them now"),
            after: end("https://example.com/de", "Where the draft would send them"),
          }),
        )
        .describe(
          `Groups of clicks, most clicks first: at most ${maxExamples} that would go elsewhere, then at most ${maxExamples} that are unknown`,
        ),
    }),
  )
  .mutation(async ({ ctx, input: { id, period, tz, draft } }) => {
    const { deps, account } = ctx;
    await deps.limits.take("link-what-if", account.id, ctx.reply);
    const link = await findLink(ctx, id);
    const { destination: url, ...options } = draft;
    requireOptions(ctx, options, link);
    const added = addedTo(storedDestinationsOf(link), destinationsOf({ ...options, url }, "destination"));
    const named: Destinations = added.map(([field, to]) => [`draft.${field}`, to]);
    await assertNoLoops(deps, account.id, named);
    await assertNotBlocked(deps.screening, named);

    const before: Choices = {
      destination: link.destination,
      rules: link.rules ?? null,
      geo_rules: link.geo_rules ?? null,
      ab_test: link.ab_test ?? null,
    };
    const after: Choices = { ...before, ...choicesIn(draft) };
    const known = before.ab_test ? await knownTest(deps, account.id, link, before.ab_test) : null;
    const scope = linkScope(link.id, account.id);
    const pastIn = (source: ClickSource) =>
      withReportSlot(source.copy?.pool ?? reading(ctx).deps.pool, account.id, true, async (database) => {
        const history = await historyIn(source, database, scope);
        const now = deps.clock().getTime();
        const oldest = source.isClickHouseDown ? null : history.rawSince;
        const { window } = windowsOf({ span: spanOf({ period }), tz }, now, history.first, oldest);
        requireRawClicks(window, history, source, (since) =>
          issue(
            "period",
            "clicks_dropped",
            `raw clicks only go back to ${since}; choose a shorter period, or all`,
            {
              since,
            },
          ),
        );
        const needed = new Set([...factsFor(before), ...factsFor(after)]);
        const times = timesFor([...(before.rules ?? []), ...(after.rules ?? [])]);
        const selection = await selectionOf(database, scope, [], deps.shortHost.host, source.copy);
        return readPastClicks(selection, window, needed, times, known);
      });
    const past = await fromClicks(deps, pastIn);
    return compare(past, outcomesOf(before), outcomesOf(after));
  });

/** The fields that a draft sets. */
const choicesIn = ({ destination, ...draft }: z.output<typeof draftFields>): Partial<Choices> => ({
  ...(destination !== undefined && { destination }),
  ...(draft.rules !== undefined && { rules: draft.rules?.length ? draft.rules : null }),
  ...(draft.geo_rules !== undefined && { geo_rules: draft.geo_rules?.length ? draft.geo_rules : null }),
  ...(draft.ab_test !== undefined && { ab_test: draft.ab_test }),
});

type Outcome = ReturnType<typeof outcomesOf>;

/** Clicks of one kind and where they go; null if unknown. */
interface Decided {
  click: PastClick;
  before: string | null;
  after: string | null;
}

/** Adds up where clicks go, with the largest kinds of those that go elsewhere and of those that are unknown. */
async function compare(past: readonly PastClick[], before: Outcome, after: Outcome) {
  const sums = { clicks: 0, moved: 0, unknown: 0 };
  const moved: Decided[] = [];
  const unknown: Decided[] = [];
  const destinations = new Map<string, { url: string; before: number; after: number }>();
  const at = (url: string) => {
    const found = destinations.get(url) ?? { url, before: 0, after: 0 };
    destinations.set(url, found);
    return found;
  };
  await forEachYielding(past, (click) => {
    sums.clicks += click.clicks;
    const [from, to] = [before(click), after(click)];
    if (from === null || to === null) {
      sums.unknown += click.clicks;
      unknown.push({ click, before: from, after: to });
      return;
    }
    if (from !== to) {
      sums.moved += click.clicks;
      moved.push({ click, before: from, after: to });
    }
    at(from).before += click.clicks;
    at(to).after += click.clicks;
  });
  const most = (ends: { before: number; after: number }) => Math.max(ends.before, ends.after);
  return {
    ...sums,
    destinations: [...destinations.values()].toSorted((a, b) => most(b) - most(a) || b.after - a.after),
    examples: [...examplesOf(moved), ...examplesOf(unknown)],
  };
}

const examplesOf = (kinds: readonly Decided[]) =>
  kinds
    .toSorted((a, b) => b.click.clicks - a.click.clicks || b.click.time - a.click.time)
    .slice(0, maxExamples)
    .map(({ click, before, after }) => ({
      at: new Date(click.time).toISOString(),
      country: click.country || null,
      device: click.device || null,
      os: click.os || null,
      browser: click.browser || null,
      referrer: click.referrer || null,
      clicks: click.clicks,
      before,
      after,
    }));
