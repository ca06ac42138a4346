import { createMemo, maxLength } from "../../kernel/memo.ts";
import type { RawClick } from "../log/format.ts";
import { type BotReason, headless, programOf, reasonOfFlags } from "./bot-class.ts";
import { type Campaign, campaignOf } from "./campaign.ts";
import type { Place } from "./geo-file.ts";
import { plainLocator } from "./locate.ts";
import { referrerHost } from "./referrer.ts";
import { type Agent, maxHints, parseAgent, readHints } from "./user-agent.ts";

/** The stored facts about a click: no address, user agent or path. All texts except `referrer` come from small sets. */
export interface Derived extends Agent {
  /** The device, browser and system as one object, the same for equal ones */
  agent: Agent;
  /** ISO 3166-1 alpha-2 in upper case, or XK; null if unknown, such as for private addresses */
  country: string | null;
  /** Null if unknown */
  place: Place | null;
  /** Host name in lower case, without port and trailing dot, or an Android app's package; null if none, and for bots */
  referrer: string | null;
  /** Null if there is none, and for bots */
  campaign: Campaign | null;
  /** Null for people */
  reason: BotReason | null;
}

/** The input for deriving a click. */
export type DeriveInput = Omit<RawClick, "link_id" | "time" | "variant">;

/** Hints, if there are any, and the user agent on two lines: no header has a line break. */
function parseBoth(text: string): Agent {
  const end = text.indexOf("\n");
  return sameAgent(parseAgent(text.slice(end + 1), text.slice(0, Math.max(end, 0))));
}

/** By their values, which come from small sets. */
const differentAgents = new Map<string, Agent>();

/** Equal agents become one object, so that clicks are summed by it. */
function sameAgent(agent: Agent): Agent {
  const key = JSON.stringify(agent);
  const known = differentAgents.get(key) ?? agent;
  differentAgents.set(key, known);
  return known;
}

/** Whether the drain would count a visit as a bot's. */
export const isBotVisit = (visit: Pick<RawClick, "user_agent" | "client_hints" | "flags">): boolean =>
  visit.flags !== 0 || parseAgent(visit.user_agent, visit.client_hints).bot;

/** Cached user agents with their hints: 15 MB if each has the maximum length. */
const maxAgents = 8192;
const agents = createMemo(parseBoth, maxAgents, maxLength + maxHints + 1);

/** What a user agent and the hints that `joinHints` wrote say. Redirects and the counting of clicks share what is cached. */
export const agentOf = (userAgent: string, clientHints = ""): Agent =>
  agents.get(clientHints === "" ? userAgent : `${clientHints.slice(0, maxHints)}\n${userAgent}`);

/** Why a visit is a bot's: by its agent, or if that is a person's, by its other signs. */
function reasonOf({ user_agent, client_hints = "", flags }: DeriveInput, agent: Agent): BotReason {
  if (!agent.bot) return reasonOfFlags(flags);
  const program = programsOfAgents.get(user_agent);
  return program.bot === "other" && readHints(client_hints).headless ? headless : program;
}
const programsOfAgents = createMemo(programOf, 2048);

/** Returns the function from a raw click to its stored facts. */
export function createDeriver({ locate } = plainLocator): (click: DeriveInput) => Derived {
  return (click) => {
    const { address, user_agent, client_hints, referrer, campaign = "", country, flags, counts_as } = click;
    const agent = agentOf(user_agent, client_hints);
    const whereabouts = locate(country, address);
    const bot = counts_as === "bot" || (counts_as !== "limited" && (agent.bot || flags !== 0));
    return {
      country: whereabouts.country,
      place: whereabouts.place,
      agent,
      device: agent.device,
      browser: agent.browser,
      os: agent.os,
      referrer: bot ? null : referrerHost(referrer),
      campaign: bot ? null : campaignOf(campaign),
      reason: bot ? reasonOf(click, agent) : null,
      bot,
    };
  };
}
