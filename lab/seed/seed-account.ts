import { type PersonalAccount, AppError, type Bucket, type Caller, type Core } from "@terse/core";
import { campaignIn } from "@terse/core/redirect";
import { UserError } from "@terse/server";
import { buckets } from "./data/buckets.ts";
import { dayMs, type Period, planLinks, type PlannedLink, type Target, timeAt } from "./plan-links.ts";
import { planVisits, type Visit } from "./plan-visits.ts";
import type { Progress } from "./progress.ts";
import { Random } from "../clicks/random.ts";

export interface SeedOptions {
  email: string;
  links: number;
  /** Clicks by people on the account's links; bots and visits of buckets are added to these */
  clicks: number;
  days: number;
  seed: number;
}

/** What seeding works with, apart from its options. */
export interface SeedTools {
  /** Its clock is the one that `setClock` sets */
  core: Core;
  /** Milliseconds since the epoch: with the clock set back, links are created in the past */
  setClock(time: number): void;
  /** Host of short URLs, with its port */
  shortHost: string;
  progress: Progress;
  interrupt: AbortSignal;
}

export interface SeedSummary {
  email: string;
  plan: string;
  links: number;
  buckets: number;
  domain: { domain: string; status: string };
  keys: number;
  /** The newest API key: it cannot be read again */
  key: string;
  clicks: number;
  bots: number;
  /** Views of bucket pages and clicks on their links, by people */
  bucket_clicks: number;
  from: string;
  to: string;
  seconds: number;
}

/** The password of all protected links */
export const demoPassword = "demo";

const botShare = 0.06;
const bucketShare = 0.05;
/** Clicks in one transaction */
const batchSize = 20_000;
/** Names that are tried before giving up */
const maxAttempts = 1000;

/** A target that exists; `id` is what its clicks are counted under, `campaign` that of its destination. */
type StoredTarget = Target & { id: string; campaign: string };

/**
 * Creates an account and fills it through the core's public face. The same options give the same content, except ids,
 * keys and times, which are relative to now.
 * @throws {UserError} if the address has an account; that account is left unchanged
 */
export async function seedAccount(options: SeedOptions, tools: SeedTools): Promise<SeedSummary> {
  const started = performance.now();
  const to = Date.now();
  const period = { from: to - options.days * dayMs, to };
  tools.setClock(period.from);
  const account = await createAccount(tools.core, options.email);
  try {
    const content = await fill(account, options, period, tools);
    return {
      email: account.email,
      plan: account.plan,
      ...content,
      from: new Date(period.from).toISOString(),
      to: new Date(period.to).toISOString(),
      seconds: Math.round((performance.now() - started) / 100) / 10,
    };
  } catch (error) {
    tools.progress.stop();
    process.stderr.write(
      `${account.email} is incomplete: seed again with another --email, or with a new database\n`,
    );
    throw error;
  } finally {
    tools.progress.stop();
  }
}

async function fill(
  account: PersonalAccount,
  { links: count, clicks, seed }: SeedOptions,
  period: Period,
  tools: SeedTools,
) {
  const caller = tools.core.caller({
    kind: "account",
    account,
    credential: "internal",
    author: { kind: "session", name: account.name },
  });
  const planned = planLinks(count, period, new Random(seed));
  const links: StoredTarget[] = [];
  const pages: StoredTarget[] = [];
  const keys: string[] = [];
  let domain: SeedSummary["domain"] | undefined;
  const steps: Step[] = [
    ...keySteps(account, keys, period, tools),
    [timeAt(0.9, period), async () => void (domain = await addDomain(caller))],
    ...planned.flatMap((link) => linkSteps(caller, link, links, tools)),
    ...bucketSteps(caller, pages, period, tools),
  ];
  // In their order, so that lists by time and the activity of the account read as they would.
  steps.sort(([one], [other]) => one - other);
  tools.progress.start("links", planned.length);
  for (const [time, step] of steps) {
    tools.interrupt.throwIfAborted();
    tools.setClock(time);
    await step();
  }

  tools.setClock(period.to);
  const onLinks = { people: clicks, bots: Math.round(clicks * botShare) };
  const onBuckets = { people: Math.round(clicks * bucketShare), bots: 0 };
  tools.progress.start("visits", onLinks.people + onLinks.bots + onBuckets.people);
  await record(planVisits(links, onLinks, period, seed), tools);
  await record(planVisits(pages, onBuckets, period, seed), tools);
  return {
    links: links.length,
    buckets: buckets.length,
    domain: domain as SeedSummary["domain"],
    keys: keys.length,
    key: keys.at(-1) as string,
    clicks: onLinks.people,
    bots: onLinks.bots,
    bucket_clicks: onBuckets.people,
  };
}

async function createAccount(core: Core, email: string): Promise<PersonalAccount> {
  try {
    return await core.accounts.create({ email, name: "Alder & Pine (demo)", plan: "enterprise" });
  } catch (error) {
    if (!isConflict(error)) throw error;
    throw new UserError(
      `${email} already has an account, and seed fills only new ones: nothing was changed. Choose another --email`,
    );
  }
}

/** Something that is done at a time, in milliseconds since the epoch. */
type Step = [time: number, run: () => Promise<unknown>];

/** API keys, oldest first. Times as in `LinkIdea`. */
const keyPlans: readonly (readonly [name: string, created: number, used: number | null])[] = [
  ["Website", 0.95, 0.0001],
  ["Newsletter tool", 0.6, 0.01],
  ["Print shop", 0.35, null],
  ["Demo", 0, null],
];

function keySteps(account: PersonalAccount, keys: string[], period: Period, { core }: SeedTools): Step[] {
  return keyPlans.flatMap(([name, created, used]): Step[] => {
    let key = "";
    const issue = async () => {
      ({ key } = await core.keys.issue(account.id, name));
      keys.push(key);
    };
    const steps: Step[] = [[timeAt(created, period), issue]];
    if (used !== null) steps.push([timeAt(used, period), () => core.credentials.byKey(key)]);
    return steps;
  });
}

/** Adds a custom domain. It is made up, so that it stays pending. */
async function addDomain(caller: Caller): Promise<SeedSummary["domain"]> {
  return withFreeName((suffix) => caller.domains.create({ domain: `go${suffix}.alderpine.example` }));
}

function linkSteps(
  caller: Caller,
  link: PlannedLink,
  links: StoredTarget[],
  { progress }: SeedTools,
): Step[] {
  let id = "";
  const create = async () => {
    ({ id } = await withFreeName((suffix) =>
      caller.links.create({
        url: link.url,
        title: link.title,
        slug: `${link.slug}${suffix}`,
        tags: [...link.tags],
        ...(link.hasPassword && { password: demoPassword }),
        ...(link.expiresAt !== null && { expires_at: new Date(link.expiresAt).toISOString() }),
        ...(link.geoRules.length > 0 && { geo_rules: link.geoRules }),
        ...(link.abTest && { ab_test: link.abTest }),
      }),
    ));
    links.push({ ...link, id, campaign: campaignIn("", link.url) });
    progress.advance(1);
  };
  const steps: Step[] = [[link.life.from, create]];
  if (link.switchedOffAt !== null)
    steps.push([link.switchedOffAt, () => caller.links.update({ id, is_active: 0 })]);
  return steps;
}

/** Collects the pages and their items: a view of a page and a click on an item are counted alike. */
function bucketSteps(caller: Caller, targets: StoredTarget[], period: Period, tools: SeedTools): Step[] {
  return buckets.map((plan, rank): Step => {
    const life = { from: timeAt(plan.age, period), to: period.to };
    const create = async () => {
      const bucket = await withFreeName((suffix) =>
        caller.buckets.create({
          name: plan.name,
          slug: `${plan.slug}${suffix}`,
          links: plan.links.map(([title, url]) => ({ title, url })),
          description: plan.description ?? null,
          accent_color: plan.accent_color ?? null,
        }),
      );
      const ids = [bucket.id, ...(await itemsOf(bucket, tools))];
      for (const [at, id] of ids.entries()) {
        const weight = (at === 0 ? 1 : 0.3 / at) / (rank + 1);
        const visitors = { rhythm: "steady", channel: "instagram", home: null, variants: [] } as const;
        targets.push({ id, campaign: "", weight, life, ...visitors });
      }
    };
    return [life.from, create];
  });
}

/** Returns the ids of a bucket's items, found as the short-link host finds them. */
async function itemsOf({ slug, links }: Bucket, { core, shortHost }: SeedTools): Promise<string[]> {
  const items = await Promise.all(
    links.map((_, at) => core.redirects.resolve(shortHost, `${slug}/${at + 1}`, nobody)),
  );
  return items.flatMap((item) => (item.kind === "redirect" ? item.link_id : []));
}

const nobody = { country: () => null, id: () => "" };

/** Counts visits the way the short-link host does without a click log. */
async function record(
  visits: Iterable<Visit<StoredTarget>>,
  { core, progress, interrupt }: SeedTools,
): Promise<void> {
  let batch: Promise<void>[] = [];
  const countBatch = async () => {
    await Promise.all(batch);
    progress.advance(batch.length);
    interrupt.throwIfAborted();
    batch = [];
  };
  for (const { target, time, address, userAgent, referrer, variant } of visits) {
    const { id: link_id, campaign } = target;
    batch.push(
      core.clicks.record({ link_id, campaign, time, address, user_agent: userAgent, referrer, variant }),
    );
    if (batch.length === batchSize) await countBatch();
  }
  await countBatch();
}

/** Appends a number to names that are taken, which other accounts may own: "", "-2", "-3" … */
async function withFreeName<T>(create: (suffix: string) => Promise<T>): Promise<T> {
  for (let number = 1; ; number++) {
    try {
      return await create(number === 1 ? "" : `-${number}`);
    } catch (error) {
      if (!isConflict(error) || number === maxAttempts) throw error;
    }
  }
}

const isConflict = (error: unknown) => error instanceof AppError && error.code === "CONFLICT";
