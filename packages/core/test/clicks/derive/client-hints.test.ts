import { describe, expect, it } from "vitest";
import { joinHints } from "../../../src/clicks/derive/user-agent.ts";
import { createDeriver } from "../../../src/clicks/derive/derive.ts";

const derive = createDeriver();
const chrome = "Chrome/131.0.0.0 Safari/537.36";
const onWindows = `Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) ${chrome}`;
const onLinux = `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) ${chrome}`;
const onPhone = `Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36`;

const brands = (name: string) => `"${name}";v="131", "Chromium";v="131", "Not_A Brand";v="24"`;
const agentOf = (user_agent: string, client_hints: string) => {
  const click = { address: "", user_agent, referrer: "", country: "", flags: 0, client_hints };
  const { device, browser, os, bot } = derive(click);
  return bot ? "bot" : `${device} | ${browser} | ${os}`;
};

describe("client hints", () => {
  it.each([
    ["Brave", "Brave"],
    ["Vivaldi", "Vivaldi"],
    ["DuckDuckGo", "DuckDuckGo"],
    ["Microsoft Edge", "Edge"],
    ["Google Chrome", "Chrome"],
    ["Invented", "Chrome"],
  ])("name the browser behind Chrome's agent: %s", (brand, browser) => {
    expect(agentOf(onWindows, joinHints(brands(brand), "?0", '"Windows"'))).toBe(
      `desktop | ${browser} | Windows`,
    );
  });

  it("find the phone or tablet that requests desktop sites", () => {
    expect(agentOf(onLinux, joinHints(brands("Google Chrome"), "?1", '"Android"'))).toBe(
      "mobile | Chrome | Android",
    );
    expect(agentOf(onLinux, joinHints(brands("Google Chrome"), "?0", '"Android"'))).toBe(
      "tablet | Chrome | Android",
    );
    expect(agentOf(onLinux, joinHints(brands("Google Chrome"), "?0", '"Linux"'))).toBe(
      "desktop | Chrome | Linux",
    );
  });

  it("tell a tablet from a phone", () => {
    expect(agentOf(onPhone, joinHints(brands("Google Chrome"), "?1", '"Android"'))).toBe(
      "mobile | Chrome | Android",
    );
    expect(agentOf(onPhone, joinHints(brands("Google Chrome"), "?0", '"Android"'))).toBe(
      "tablet | Chrome | Android",
    );
  });

  it("name a browser without a window, which is a bot's", () => {
    expect(agentOf(onWindows, joinHints(brands("HeadlessChrome"), "?0", '"Windows"'))).toBe("bot");
  });

  it.each(["", "|", "||", "?2|Windows|Brave", "\0", '?0|"|"Brave"'])(
    "change nothing if they are malformed: %j",
    (hints) => {
      expect(agentOf(onWindows, hints)).toBe("desktop | Chrome | Windows");
    },
  );

  it.each(["|", '"', "a"])("change nothing if they are five thousand times %j", (text) => {
    expect(agentOf(onWindows, text.repeat(5000))).toBe("desktop | Chrome | Windows");
  });
});
