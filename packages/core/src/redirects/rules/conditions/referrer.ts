import * as z from "zod";
import { isReferrerHost, isUnderHost } from "../../../clicks/derive/referrer.ts";
import { hostToAscii } from "../../../kernel/host-names.ts";
import { anyOf, defineCondition } from "./condition.ts";
import { listOf } from "./list.ts";

const hostInput = z
  .string()
  .meta({ examples: ["news.example"] })
  .transform((text, ctx) => {
    const host = hostToAscii(text.trim().replace(/\.$/, "")).toLowerCase();
    if (isReferrerHost(host)) return host;
    ctx.addIssue({ code: "custom", message: "must be a host name, such as news.example" });
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
  miss: (hosts, facts) =>
    facts.referrer === null
      ? "it is not known where the visitor comes from"
      : `the visitor comes from ${facts.referrer}, not ${anyOf(hosts)}`,
});
