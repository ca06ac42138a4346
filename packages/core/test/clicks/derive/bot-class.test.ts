import crawlers from "crawler-user-agents";
import { describe, expect, it } from "vitest";
import { createDeriver } from "../../../src/clicks/derive/derive.ts";
import { type BotClass, programOf } from "../../../src/clicks/derive/bot-class.ts";

const derive = createDeriver();
const browser = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
const visit = { address: "8.8.8.8", user_agent: browser, referrer: "", country: "", flags: 0 };

describe("a visit is a bot's because of", () => {
  it.each([
    ["Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)", "search", "Google"],
    [
      "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)",
      "ai",
      "OpenAI",
    ],
    ["facebookexternalhit/1.1 Facebot Twitterbot/1.0", "preview", "Facebook"],
    ["WhatsApp/2.23.20.0", "preview", "WhatsApp"],
    ["Mozilla/5.0+(compatible; UptimeRobot/2.0; http://www.uptimerobot.com/)", "monitor", "UptimeRobot"],
    ["curl/8.5.0", "tool", "curl"],
    ["", "tool", "no user agent"],
    ["SomeBot/1.0", "other", "other program"],
    [
      "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/140.0.0.0 Safari/537.36",
      "tool",
      "headless browser",
    ],
  ] as const)("%s", (user_agent, bot, rule) => {
    expect(derive({ ...visit, user_agent }).reason).toEqual({ bot, rule });
  });

  it("its headers, if the user agent is a person's", () => {
    const reasonOf = (flags: number) => derive({ ...visit, flags }).reason;
    expect(reasonOf(1)).toEqual({ bot: "tool", rule: "HEAD request" });
    expect(reasonOf(2)).toEqual({ bot: "prefetch", rule: "prefetch by a browser" });
    expect(reasonOf(4)).toEqual({ bot: "prefetch", rule: "preview by a browser" });
    expect(reasonOf(8)).toEqual({ bot: "other", rule: "reported by an import" });
    const client_hints = '?0|"Linux"|"HeadlessChrome";v="140"';
    expect(derive({ ...visit, client_hints }).reason).toEqual({ bot: "tool", rule: "headless browser" });
  });

  it("nothing, for a person", () => {
    expect(derive(visit).reason).toBeNull();
    expect(derive({ ...visit, flags: 1, counts_as: "limited" }).reason).toBeNull();
  });
});

/** The package's types leave the purposes out. */
const collected: readonly { instances: readonly string[]; tags?: readonly string[] }[] = crawlers;

describe("of programs that others collected", () => {
  /** Programs that have one purpose only. */
  const agentsOf = (tag: string) =>
    collected.flatMap(({ tags = [], instances }) => (tags.length === 1 && tags[0] === tag ? instances : []));

  it.each([
    ["ai-crawler", "ai", 0.5],
    ["http-library", "tool", 0.7],
  ] as [string, BotClass, number][])("most with the purpose %s are %s", (tag, bot, share) => {
    const agents = agentsOf(tag);
    const found = agents.filter((agent) => programOf(agent).bot === bot);
    expect(agents.length).toBeGreaterThan(10);
    expect(found.length / agents.length).toBeGreaterThan(share);
  });

  it("none that only makes previews, searches or is for AI is taken for a person's tool or a monitor", () => {
    const wrong = ["search-engine", "ai-crawler"].flatMap((tag) =>
      agentsOf(tag).filter((agent) => programOf(agent).bot === "monitor"),
    );
    expect(wrong).toEqual([]);
  });
});
