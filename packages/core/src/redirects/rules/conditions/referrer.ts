import * as z from "zod";
import { isReferrerHost } from "../../../clicks/index.ts";
import { hostToAscii } from "../../../kernel/host-names.ts";
import { anyOf, defineCondition } from "./condition.ts";
import { listOf } from "./list.ts";

const hostInput = z.string().transform((text, ctx) => {
  const host = hostToAscii(text.trim().replace(/\.$/, "")).toLowerCase();
  if (isReferrerHost(host)) return host;
  ctx.addIssue({ code: "custom", message: "must be a host name, such as news.example" });
  return z.NEVER;
});

export const referrer = defineCondition({
  name: "referrer",
  input: listOf(hostInput, 50).describe("Hosts that the visitor comes from; a host covers its subdomains"),
  output: z.array(z.string()).describe("Hosts that the visitor comes from"),
  compile(hosts) {
    const set: ReadonlySet<string> = new Set(hosts);
    return (facts) => facts.referrer !== null && isUnder(facts.referrer, set);
  },
  miss: (hosts, facts) =>
    facts.referrer === null
      ? "it is not known where the visitor comes from"
      : `the visitor comes from ${facts.referrer}, not ${anyOf(hosts)}`,
});

/** True for one of the hosts, and for what is below it. */
function isUnder(host: string, hosts: ReadonlySet<string>): boolean {
  for (let name = host; ; ) {
    if (hosts.has(name)) return true;
    const dot = name.indexOf(".");
    if (dot === -1) return false;
    name = name.slice(dot + 1);
  }
}
