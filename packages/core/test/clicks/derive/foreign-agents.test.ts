import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import crawlers from "crawler-user-agents";
import topAgents from "top-user-agents";
import { describe, expect, it } from "vitest";
import { parseAgent } from "../../../src/clicks/derive/user-agent.ts";

/** Agents that other projects collected: of crawlers, and of the visitors of many sites. */
const programs = [...new Set(crawlers.flatMap(({ instances }) => instances))];
const visits = visitsOf("user-agents");
const people = [...new Set([...topAgents, ...visits.map(({ userAgent }) => userAgent)])];

interface Visit {
  userAgent: string;
  deviceCategory: string;
}

/** The package exports random agents only; its data is beside its entry. */
function visitsOf(name: string): Visit[] {
  const folder = dirname(createRequire(import.meta.url).resolve(name));
  return JSON.parse(readFileSync(join(folder, "user-agents.json"), "utf8"));
}

describe("agents collected by others", () => {
  it("are bots if they are crawlers', but for one in two hundred", () => {
    const missed = programs.filter((userAgent) => !parseAgent(userAgent).bot);
    expect(programs.length).toBeGreaterThan(2000);
    expect(missed.length / programs.length, missed.join("\n")).toBeLessThanOrEqual(0.005);
  });

  it("are people's if browsers sent them, but for one in two thousand", () => {
    const wrong = people.filter((userAgent) => parseAgent(userAgent).bot);
    expect(people.length).toBeGreaterThan(900);
    expect(wrong.length / people.length, wrong.join("\n")).toBeLessThanOrEqual(0.0005);
  });

  it("have the kind of device that their screen had", () => {
    const wrong = visits.filter(({ userAgent, deviceCategory }) => {
      return parseAgent(userAgent).device !== deviceCategory;
    });
    expect(wrong.length / visits.length, wrong.map(({ userAgent }) => userAgent).join("\n")).toBeLessThan(
      0.001,
    );
  });
});
