import * as z from "zod";
import { streamUrlProblem } from "./clicks/stream/click-stream.ts";
import { clickHouseUrlProblem } from "./clicks/clickhouse/connection.ts";
import { parseSender, smtpUrlProblem } from "./mail/settings.ts";
import { databaseUrlProblem } from "./db/database-url.ts";
import { planNames } from "./kernel/names.ts";
import { oneOf, whole } from "./kernel/validation/inputs.ts";
import { sentenceOf } from "./kernel/issues.ts";
import { parseInput } from "./kernel/validation/issues.ts";

const must = (expected: string) => ({ error: `must be ${expected}` });
/** Refuses a text with a problem and names it. */
const without = (problemOf: (text: string) => string | null) => (text: string, context: z.RefinementCtx) => {
  const problem = problemOf(text);
  if (problem !== null) context.addIssue(problem);
};
const databaseUrl = must("a PostgreSQL URL, such as postgresql://user:password@localhost:5432/terse");
const databaseUrlOf = (role: "primary" | "replica") =>
  z
    .string(databaseUrl)
    .regex(/^(postgres|postgresql|socket):/, databaseUrl)
    .superRefine(without((url) => databaseUrlProblem(url, role)));
const shortBase = must("the http or https URL that short links begin with, such as https://trs.example");
const callable = z.custom<() => unknown>((value) => typeof value === "function", must("a function"));
const streamUrl = z.string(must("the URL of a stream")).superRefine(without(streamUrlProblem));
const clickHouseUrl = z
  .string(must("the URL of a ClickHouse server"))
  .superRefine(without(clickHouseUrlProblem));
const texts = z.array(z.string(), must("an array of strings"));

/** The options of createRedirectCore, validated for callers without TypeScript. */
const redirectCoreOptions = z.object(
  {
    databaseUrl: databaseUrlOf("primary"),
    replicaUrl: databaseUrlOf("replica").optional(),
    replicaMaxLag: whole(100, 60_000).optional(),
    shortBase: z.url({ protocol: /^https?$/, ...shortBase }),
    redisUrl: z.string(must("a Redis URL, such as redis://localhost:6379")).optional(),
    clickLog: z
      .looseObject(
        {
          folder: z.string(must("the path of a folder")),
          stream: z
            .object(
              { url: streamUrl, shipping: oneOf(["async", "sync"]).optional() },
              must("an object with a url"),
            )
            .optional(),
        },
        must("an object with a folder"),
      )
      .optional(),
    poolSize: whole(1, 10_000).optional(),
    passwordsPerMinute: whole(1, 1e9).optional(),
    blocklistFiles: texts.optional(),
    geoDatabase: z.string(must("the path of a file")).optional(),
    dnsServers: texts.optional(),
    outboundNetworks: texts.optional(),
    anonymousLinksDays: whole(1, 36_500).optional(),
    slowStatementMs: whole(1, 1e9).optional(),
    tracer: z.looseObject({ span: callable, begin: callable }, must("a tracer")).optional(),
    onEvent: callable.optional(),
    clock: callable.optional(),
    randomBytes: callable.optional(),
    ownHosts: texts.optional(),
    screenDns: z.string(must("the address of a resolver, such as 1.1.1.2")).optional(),
    screenDnsSinkholes: texts.optional(),
    apiKeysPlan: oneOf(["pro", "enterprise"]).optional(),
    freeLinks: whole(0, 1e9).optional(),
    domains: z.partialRecord(z.enum(["pro", "enterprise"]), whole(0, 1e6)).optional(),
    members: z.partialRecord(z.enum(planNames), whole(1, 1e6).nullable()).optional(),
    workspacesMax: whole(1, 1e6).optional(),
    groupRoles: z
      .array(
        z.object({
          group: z.string(must("the name of a group")),
          workspace: z.string(must("the id or slug of a workspace, or *")),
          role: z.enum(["viewer", "editor", "admin", "operator"], must("viewer, editor, admin or operator")),
        }),
        must("an array of roles"),
      )
      .optional(),
    storedMegabytes: z.partialRecord(z.enum(planNames), z.number(must("a number of megabytes"))).optional(),
    rateLimits: z
      .partialRecord(
        z.enum(["anonymous", ...planNames]),
        z.number(must("a number of link creations a minute")),
        must("an object of numbers by plan"),
      )
      .optional(),
    passwordCost: z
      .object({ ln: whole(1, 17), r: whole(1, 8), p: whole(1, 16) }, must("an object with ln, r and p"))
      .optional(),
  },
  must("an object with databaseUrl and shortBase"),
);

const coreOptions = redirectCoreOptions.extend({
  clickHouse: z
    .object({ url: clickHouseUrl, retentionDays: whole(1, 36_500).optional() }, must("an object with a url"))
    .optional(),
  mail: z
    .object(
      {
        url: z.string(must("the URL of a mail server")).superRefine(without(smtpUrlProblem)),
        from: z
          .string(must("an address"))
          .refine(
            (text) => parseSender(text) !== null,
            must("an address, or a name and an address: Terse <terse@example.com>"),
          ),
        ca: z.string().optional(),
      },
      must("an object with url and from"),
    )
    .optional(),
  baseUrl: z.url({ protocol: /^https?$/, ...must("the http or https URL of the API") }).optional(),
  healthChecks: oneOf(["off", "daily", "weekly"]).optional(),
  historyDays: whole(1, 36_500).optional(),
  activityDays: whole(1, 36_500).optional(),
  keyPrefix: z.string(must("a string")).optional(),
  newId: callable.optional(),
  anonymousLinks: z.boolean(must("true or false")).optional(),
  anonymousSlugs: z.boolean(must("true or false")).optional(),
  signUp: z
    .union([z.enum(["open", "closed"]), texts], must('"open", "closed" or an array of strings'))
    .optional(),
  defaultPlan: oneOf(planNames).optional(),
});

/** Throws a TypeError that names the first option that is missing or wrong, and what it must be. */
function check(caller: string, schema: z.ZodType, options: unknown): void {
  const parsed = parseInput(schema, options);
  if (parsed.ok) return;
  const [problem = ""] = parsed.issues.map(sentenceOf);
  throw new TypeError(`${caller}: ${problem.replace(/^must/, "the options must")}`);
}

export const checkRedirectCoreOptions = (options: unknown): void =>
  check("createRedirectCore", redirectCoreOptions, options);
export const checkCoreOptions = (options: unknown): void => check("createCore", coreOptions, options);
