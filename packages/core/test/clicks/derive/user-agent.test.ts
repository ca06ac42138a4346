import fc from "fast-check";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createDeriver } from "../../../src/clicks/derive/derive.ts";
import { knownAgents } from "./agents.ts";

const derive = createDeriver();
const click = { address: "", user_agent: "", referrer: "", country: "", flags: 0 };
const agentOf = (user_agent: string) => derive({ ...click, user_agent });

describe("the user agents that people send", () => {
  it.each(knownAgents)("are $expected in $userAgent", ({ expected, userAgent }) => {
    const { device, browser, os, bot } = agentOf(userAgent);
    expect([device, browser, os].map((part) => part ?? "-").join(" | ")).toBe(expected);
    expect(bot).toBe(false);
  });

  it("have the same result a second time, from the cache", () => {
    for (const { userAgent } of knownAgents)
      expect(agentOf(userAgent)).toEqual(createDeriver()({ ...click, user_agent: userAgent }));
  });

  it("give names from a closed set, whatever their spelling", () => {
    const browserOf = (name: string) =>
      agentOf(`Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 ${name}/12.1`).browser;
    expect(["silk", "SILK", "sIlK"].map(browserOf)).toEqual(["Amazon Silk", "Amazon Silk", "Amazon Silk"]);
    expect(browserOf("RockMelt")).toBe("Other");
    expect(agentOf("Mozilla/5.0 (BeOS; U; BeOS BePC; en-US; rv:1.8) Gecko/20060524 Firefox/2").os).toBe(
      "Other",
    );
  });
});

describe("the user agents that programs send", () => {
  const bots = `
    curl/8.5.0
    Wget/1.21.3
    python-requests/2.31.0
    node
    undici
    axios/1.6.8
    Go-http-client/2.0
    wrk/4.2.0
    autocannon
    okhttp/4.12.0
    Mozilla/5.0
    Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)
    WhatsApp/2.23.20.0
    facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)
    Twitterbot/1.0
    TelegramBot (like TwitterBot)
    Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)
    LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)
    Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5
    Mozilla/5.0 (Macintosh; Intel Mac OS X 10_11_1) AppleWebKit/601.2.4 (KHTML, like Gecko) Version/9.0.1 Safari/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0
    Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X Build/MMB29P) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.6778.69 Mobile Safari/537.36 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)
    Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/131.0.0.0 Safari/537.36
    Mozilla/4.0 (compatible; ms-office; MSOffice 16)
    Mozilla/4.0 (compatible; MSIE 7.0; Windows NT 10.0; Win64; x64; Trident/7.0; .NET4.0C; .NET4.0E; ms-office; MSOffice 16)
    Microsoft Office Word 2014
    Mozilla/5.0 (Windows NT; Windows NT 10.0; de-DE) WindowsPowerShell/5.1.19041.4894
    Mozilla/5.0 (Linux; Debian GNU/Linux 12 (bookworm); en-US) PowerShell/7.4.1
    Dart/3.5 (dart:io)
    Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Amzn-User/0.1) Chrome/119.0.6045.214 Safari/537.36
    Sogou web spider/4.0(+http://www.sogou.com/docs/help/webmasters.htm#07)
    Mozilla/5.0 (Linux; Android 8.0; Pixel 2 Build/OPD3.170816.012; Storebot-Google/1.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/81.0.4044.138 Mobile Safari/537.36
    Mozilla/5.0 (Linux; Android 8.1.0; CUBOT_X18_Plus) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Mobile Safari/537.36 (compatible; Googlebot/2.1)`;

  it.each(bots.trim().split(/\n\s*/))("are bots and nothing else: %s", (userAgent) => {
    expect(agentOf(userAgent)).toMatchObject({ device: null, browser: null, os: null, bot: true });
  });

  it("are bots if they are empty or blank", () => {
    expect(agentOf("").bot).toBe(true);
    expect(agentOf(" \t").bot).toBe(true);
  });
});

describe("hostile user agents", () => {
  const start = "Mozilla/5.0 (Linux; Android 10; ";
  /** With the last ones, expressions of ours backtrack most. */
  const tokens = [
    "a",
    " ",
    "1.",
    "(",
    "; ",
    "droid ",
    "tecno/1",
    "whale) ",
    "maps ",
    "\0",
    "é",
    "😀",
    "\ud800",
    "bot android ",
    "(a) ",
    "midp-",
    "dv(",
  ];

  it.each(tokens)("of sixteen kilobytes of %j are read up to 512 characters", (token) => {
    const long = start + token.repeat(16_384 / token.length);
    expect(agentOf(long)).toEqual(agentOf(long.slice(0, 512)));
  });

  /** With each of these, an expression of the parser would take time in the fourth power of its length. */
  const costly = [
    ["Naver", "(naver)\\(.*", `Mozilla/5.0 (X11; Linux x86_64) ${"naver(".repeat(18)}${"1.".repeat(180)}`],
    ["Naver", "(naver)\\(.*", `Mozilla/5.0 (X11; Linux x86_64) )${"naver(".repeat(18)}${"1.".repeat(180)}`],
    [null, "archos ?(", `Mozilla/5.0 (X11; Linux x86_64) ${"archos ".repeat(12)}${"1".repeat(140)}`],
    [null, "archos ?(", `Mozilla/5.0 (X11; Linux x86_64) ${"archos".repeat(12)}${"1 ".repeat(70)}`],
  ] as const;

  it.each(costly)("are recognized by a word, as %s, and never reach %s", (browser, expression, userAgent) => {
    const exec = vi.spyOn(RegExp.prototype, "exec");
    onTestFinished(() => exec.mockRestore());
    const agent = agentOf(userAgent);
    const reached = exec.mock.contexts.map((regex) => (regex as RegExp).source);
    exec.mockRestore();
    expect(agent).toMatchObject({ device: "desktop", browser, os: "Linux", bot: false });
    expect(reached.length).toBeGreaterThan(100);
    expect(reached.filter((source) => source.startsWith(expression))).toEqual([]);
  });

  it("never throw, and never give a name outside the closed set", () => {
    const devices = ["desktop", "mobile", "tablet", "tv", "console", "other", null];
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 600 }), (text) => {
        const { device, browser, os } = agentOf(text);
        expect(devices).toContain(device);
        expect(`${browser ?? "Other"} ${os ?? "Other"}`).toMatch(/^[A-Za-z0-9 ]+$/);
      }),
    );
  });
});
