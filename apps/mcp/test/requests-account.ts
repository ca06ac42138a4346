import { browserUserAgent } from "@terse/testkit";
import { now, type TestApp } from "./app.ts";

const day = (days: number) => new Date(now.getTime() + days * 86_400_000).toISOString();

/** An account with what people ask about: links in every state, clicks, pages, a job. Returns its key. */
export async function seedAsked(app: TestApp): Promise<string> {
  const { key, account } = await app.key("enterprise");
  const caller = app.core.caller({ kind: "account", account, credential: "internal" });
  const page = (name: string) => `https://example.com/${name}`;
  const launch = await caller.links.create({
    url: page("launch"),
    slug: "launch",
    title: "Launch",
    tags: ["spring"],
  });
  const links = [
    { slug: "sale", title: "Spring sale", tags: ["spring", "sale"] },
    { slug: "prices", title: "Price list" },
    { slug: "newsletter" },
    { slug: "demo" },
    { slug: "skates", tags: ["winter"] },
    { slug: "sledges", tags: ["winter"] },
    { slug: "ended", expires_at: day(-10) },
    { slug: "paused" },
    { slug: "begins", starts_at: day(10) },
    { slug: "secret", password: "open sesame" },
  ];
  for (const link of links) await caller.links.create({ url: page(link.slug), ...link });
  await caller.links.update({ id: (await caller.links.locate({ id: "paused" })).id, is_active: 0 });
  await caller.buckets.create({
    name: "Ada Lovelace",
    slug: "ada",
    links: [{ title: "Notes", url: page("notes") }],
  });
  await caller.imports.create({ content: `url\n${page("imported")}\n` });
  await caller.workspaces.create({ name: "Marketing", slug: "marketing" });
  for (let n = 0; n < 5; n++)
    await app.core.clicks.record({
      link_id: launch.id,
      user_agent: browserUserAgent,
      address: `192.0.2.${n}`,
      referrer: "https://news.example/",
      campaign: "utm_campaign=spring\n",
    });
  return key;
}
