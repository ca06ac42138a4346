// A service that shortens links with @terse/core, in plain JavaScript. Needs DATABASE_URL (PostgreSQL 15 or newer).
import { createCore } from "@terse/core";

const core = await createCore({
  databaseUrl: process.env.DATABASE_URL,
  shortBase: "https://trs.example",
});
await core.migrate();

const account = await core.accounts.create({ email: `newsletter-${Date.now()}@example.com`, plan: "pro" });
const terse = core.caller({ kind: "account", account, credential: "internal" });

const link = await terse.links.create({ url: "https://example.com/autumn", title: "Autumn newsletter" });
const decision = await core.redirects.resolve("trs.example", link.slug, {
  country: () => null,
  id: () => "visitor",
});
if (decision.kind === "redirect") {
  // From the visitor's request; without a browser's user agent, the click would count as a bot's.
  const user_agent = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
  await core.clicks.record({ link_id: decision.link_id, address: "203.0.113.7", user_agent });
}

const { data } = await terse.links.list({ search: "autumn" });
console.log(JSON.stringify({ location: decision.location, click_count: data[0].click_count }));

await core.close();
