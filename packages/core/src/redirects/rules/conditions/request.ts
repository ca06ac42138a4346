import { refused } from "../../../kernel/validation/issues.ts";
import * as z from "zod";
import { isReferrerHost, isUnderHost } from "../../../clicks/derive/referrer.ts";
import { hostToAscii } from "../../../kernel/host-names.ts";
import { fieldsOf } from "../../../kernel/validation/inputs.ts";
import { plain, textUpTo } from "../../../kernel/validation/strings.ts";
import { anyOf, defineCondition, listOf } from "./condition.ts";
import type { Facts } from "./facts.ts";

const hostInput = z
  .string()
  .meta({ examples: ["news.example"] })
  .transform((text, ctx) => {
    const host = hostToAscii(text.trim().replace(/\.$/, "")).toLowerCase();
    if (isReferrerHost(host)) return host;
    const params = { format: "host_name", example: "news.example" };
    ctx.addIssue(refused("invalid_format", "must be a host name, such as news.example", params));
    return z.NEVER;
  });

export const referrer = defineCondition({
  name: "referrer",
  description: "Hosts that the visitor comes from; a host covers its subdomains",
  input: listOf(hostInput, 50),
  output: z.array(z.string()),
  compile(hosts) {
    const set: ReadonlySet<string> = new Set(hosts);
    return (facts) => facts.referrer !== null && isUnderHost(facts.referrer, set);
  },
  whyNot: (hosts, facts) =>
    facts.referrer === null
      ? "the visitor's origin is not known"
      : `the visitor comes from ${facts.referrer}, not ${anyOf(hosts)}`,
});

/** Other text than this never comes out of a decoded query, and PostgreSQL cannot store NUL. */
const decodedText = (max: number) =>
  textUpTo(max).superRefine(plain("must not contain NUL", (text) => !text.includes("\0")));

const nameMeaning = "Name of the parameter";
const valueMeaning = "Without it, any value matches; null: the parameter must be missing";

export const query = defineCondition({
  name: "query",
  description: "Parameters of the requested URL that must all match",
  input: z
    .array(
      fieldsOf({
        name: decodedText(100).min(1, "must not be empty").describe(nameMeaning),
        value: decodedText(500).nullable().exactOptional().describe(valueMeaning),
      }),
    )
    .min(1, "must not be empty")
    .max(10, "must have at most 10 entries"),
  output: z.array(
    z.object({
      name: z.string().describe(nameMeaning),
      value: z.string().nullable().exactOptional().describe(valueMeaning),
    }),
  ),
  compile: (wanted) => (facts) => wanted.every((each) => holds(each, facts.query)),
  whyNot(wanted, facts) {
    const { name = "", value } = wanted.find((each) => !holds(each, facts.query)) ?? {};
    if (value === null) return `the visit has the parameter "${name}"`;
    if (value === undefined || !facts.query.has(name)) return `the visit has no parameter "${name}"`;
    return `the parameter "${name}" of the visit is not "${value}"`;
  },
});

/** Of a parameter that is there several times, one has to have the value. */
function holds(
  { name, value }: { name: string; value?: string | null },
  parameters: Facts["query"],
): boolean {
  if (value === null) return !parameters.has(name);
  return value === undefined ? parameters.has(name) : parameters.has(name, value);
}
