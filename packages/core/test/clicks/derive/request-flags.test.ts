import { describe, expect, it } from "vitest";
import { createDeriver } from "../../../src/clicks/derive/derive.ts";
import { HEAD, PREFETCH, PREVIEW, requestFlags } from "../../../src/clicks/derive/bot-class.ts";

const flagsOf = (method: string, headers: Record<string, string> = {}) =>
  requestFlags(method, (name) => headers[name]);

describe("the flags of a request", () => {
  it("are none for a person's click", () => {
    expect(flagsOf("GET")).toBe(0);
    expect(flagsOf("GET", { "sec-purpose": "", purpose: "navigate", "sec-fetch-mode": "navigate" })).toBe(0);
  });

  it("mark HEAD", () => {
    expect(flagsOf("HEAD")).toBe(HEAD);
  });

  it.each([
    [{ "sec-purpose": "prefetch" }, PREFETCH],
    [{ "sec-purpose": "prefetch;prerender" }, PREFETCH],
    [{ "sec-purpose": "prefetch;anonymous-client-ip" }, PREFETCH],
    [{ "sec-purpose": "Prerender" }, PREFETCH],
    [{ purpose: "prefetch" }, PREFETCH],
    [{ "x-moz": "prefetch" }, PREFETCH],
    [{ purpose: "preview" }, PREVIEW],
    [{ "x-purpose": "preview" }, PREVIEW],
    [{ "x-purpose": "preview", "sec-purpose": "prefetch" }, PREFETCH | PREVIEW],
  ])("mark the purpose in %j", (headers, flags) => {
    expect(flagsOf("GET", headers)).toBe(flags);
  });

  it("make any browser count as a bot, under its own name", () => {
    const derive = createDeriver();
    const user_agent = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0";
    const botWith = (flags: number) => derive({ address: "", user_agent, referrer: "", country: "", flags });
    expect(botWith(0)).toMatchObject({ bot: false, browser: "Firefox" });
    for (const flags of [HEAD, PREFETCH, PREVIEW, 8, HEAD | PREFETCH])
      expect(botWith(flags)).toMatchObject({ bot: true, browser: "Firefox" });
  });
});
