/**
 * Sixty requests as people say them, with the calls that a good assistant makes. `requests.test.ts` makes them against the account
 * of `account.ts`, and checks the answers. In arguments, `$0.links.0.id` is a field of the first answer, and `@-30d` a time and
 * `@@-30d` a date that many days from now.
 */

export interface ToolCall {
  tool: string;
  args: Record<string, unknown>;
}
/** What the assistant asks its user before it goes on */
export interface Question {
  ask: string;
}

export interface AskedFor {
  says: string;
  /** Where its tools are; `/mcp` by default */
  at?: "/mcp/full";
  calls: readonly (ToolCall | Question)[];
  /** What the last answer must have in it, as JSON or in its sentence */
  holds: readonly string[];
  /** What descriptions must say for an assistant to make these calls, by tool, or by tool and argument */
  because: Readonly<Record<string, string>>;
}

const call = (tool: string, args: Record<string, unknown> = {}): ToolCall => ({ tool, args });
const ask = (question: string): Question => ({ ask: question });
const full = "/mcp/full" as const;

const tenPages = Array.from({ length: 10 }, (_, n) => ({ url: `https://example.com/page/${n + 1}` }));

export const requests: readonly AskedFor[] = [
  // Creating
  {
    says: "Shorten https://example.com/a-very-long-address",
    calls: [call("create_link", { url: "https://example.com/a-very-long-address" })],
    holds: ['"destination":"https://example.com/a-very-long-address"', "Created http"],
    because: { create_link: "wants a URL short", "create_link.url": "https://" },
  },
  {
    says: "Make a short link called summer for https://example.com/summer",
    calls: [call("create_link", { url: "https://example.com/summer", slug: "summer" })],
    holds: ['"slug":"summer"'],
    because: { create_link: "without slug a random one", "create_link.slug": "launch-2026" },
  },
  {
    says: "Is launch still free? If not, take something close.",
    calls: [
      call("get_link", { id: "launch" }),
      call("create_link", { url: "https://example.com/next", slug: "launch-next" }),
    ],
    holds: ['"slug":"launch-next"'],
    because: { create_link: "If the slug is taken, suggest another", "get_link.id": "slug" },
  },
  {
    says: "A link to the wedding photos that only people with the password can open",
    calls: [
      call("create_link", { url: "https://example.com/photos", title: "Photos", password: "open sesame" }),
    ],
    holds: ['"has_password":true'],
    because: { create_link: "protect it", "create_link.password": "open sesame" },
  },
  {
    says: "This voucher should work until the end of next month and for the first 100 people",
    calls: [
      call("create_link", { url: "https://example.com/voucher", expires_at: "@+40d", click_limit: 100 }),
    ],
    holds: ['"click_limit":100', '"expires_at":"'],
    because: {
      create_link: "limit it",
      "create_link.expires_at": "410 after",
      "create_link.click_limit": "clicks",
    },
  },
  {
    says: "Send iPhones to the App Store and everybody else to the website",
    calls: [
      call("create_link", {
        url: "https://example.com/",
        rules: [{ when: { os: ["iOS"] }, url: "https://apps.example.com/ios" }],
      }),
    ],
    holds: ['"os":["iOS"]', "https://apps.example.com/ios"],
    because: { create_link: "send some visitors elsewhere", "create_link.rules": "first that holds" },
  },
  {
    says: "Germans should land on the German shop",
    calls: [
      call("create_link", {
        url: "https://example.com/shop",
        geo_rules: [{ country: "DE", url: "https://example.com/de/shop" }],
      }),
    ],
    holds: ['"country":"DE"'],
    because: { "create_link.geo_rules": "DE to" },
  },
  {
    says: "Split the traffic between two landing pages, three to one",
    calls: [
      call("create_link", {
        url: "https://example.com/a",
        ab_test: {
          variants: [
            { url: "https://example.com/a", weight: 3 },
            { url: "https://example.com/b", weight: 1 },
          ],
        },
      }),
    ],
    holds: ['"weight":3', '"weight":1'],
    because: { "create_link.ab_test": "weights 3 and 1" },
  },
  {
    says: "Make ten links for these pages, ask before you write",
    calls: [ask("These ten links?"), ...tenPages.map((page) => call("create_link", page))],
    holds: ['"destination":"https://example.com/page/10"'],
    because: { create_link: "For several links, show the list and ask before" },
  },
  {
    says: "Make ten links for these pages, ask before you write",
    at: full,
    calls: [
      call("bulk_create_links", { links: tenPages, on_error: "stop", dry_run: true }),
      ask("These ten links?"),
      call("bulk_create_links", { links: tenPages, on_error: "stop" }),
    ],
    holds: ['"created":10', '"failed":0'],
    because: {
      bulk_create_links: "First call it with dry_run, show the user what would be created, and ask",
      "bulk_create_links.on_error": "stop creates none",
    },
  },
  // Finding
  {
    says: "What links do I have?",
    calls: [call("list_links")],
    holds: ['"total":', '"shortUrl":"http'],
    because: { list_links: "Lists links, newest first" },
  },
  {
    says: "Where does launch go?",
    calls: [call("get_link", { id: "launch" })],
    holds: ['"destination":"https://example.com/launch"'],
    because: { get_link: "when the user names one link", "get_link.id": "slug or short URL" },
  },
  {
    says: "What is http://short.test/launch?",
    calls: [call("get_link", { id: "http://short.test/launch" })],
    holds: ['"title":"Launch"'],
    because: { "get_link.id": "short URL" },
  },
  {
    says: "Find the link to the price list",
    calls: [call("list_links", { search: "price" })],
    holds: ['"total":1', "https://example.com/prices"],
    because: { list_links: "find links by text", "list_links.search": "slug, title or destination" },
  },
  {
    says: "Which of my links died this month?",
    calls: [
      call("list_links", { health: "broken", fields: ["shortUrl", "destination", "health"] }),
      call("list_links", { state: "used_up", fields: ["shortUrl", "title"] }),
      call("list_links", { state: "expired", fields: ["shortUrl", "title", "expires_at"] }),
    ],
    holds: ['"total":1', "http://short.test/ended", '"expires_at":"'],
    because: {
      list_links: "Dead links: state expired, inactive or used_up, or health broken",
      "list_links.health": "destination",
    },
  },
  {
    says: "Which links are switched off?",
    calls: [call("list_links", { state: "inactive", fields: ["shortUrl", "is_active"] })],
    holds: ['"total":1', '"is_active":0'],
    because: { list_links: "state", "list_links.state": "expired" },
  },
  {
    says: "Which links begin later?",
    calls: [call("list_links", { state: "scheduled", fields: ["shortUrl", "starts_at"] })],
    holds: ['"total":1', '"starts_at":"'],
    because: { list_links: "fields selects others" },
  },
  {
    says: "Show my five most clicked links",
    calls: [call("list_links", { sort: "-click_count", limit: 5 })],
    holds: ['"limit":5', '"click_count":5'],
    because: { list_links: "rank them with sort", "list_links.sort": "- descends" },
  },
  {
    says: "Which links has nobody clicked for three months?",
    calls: [
      call("list_links", { last_click_before: "@-90d", fields: ["shortUrl", "last_click_at", "created_at"] }),
    ],
    holds: ['"last_click_at":null'],
    because: { list_links: "last click", "list_links.last_click_before": "No click since" },
  },
  {
    says: "Everything tagged spring",
    calls: [call("list_links", { tag: ["spring"] })],
    holds: ['"total":2'],
    because: { list_links: "by text, tag", "list_links.tag": "All, such as" },
  },
  {
    says: "Which links did I make this week, and with which tags?",
    calls: [call("list_links", { created_from: "@-7d", fields: ["shortUrl", "created_at", "tags"] })],
    holds: ['"tags":[', '"created_at":"'],
    because: { list_links: "age", "list_links.created_from": "T00:00:00Z", "list_links.fields": "tags" },
  },
  {
    says: "Which links ask for a password?",
    calls: [call("list_links", { has: "password" })],
    holds: ["http://short.test/secret"],
    because: { "list_links.has": "password" },
  },
  {
    says: "How many links do I have in all?",
    calls: [call("list_links", { limit: 1, fields: ["id"] })],
    holds: ['"total":'],
    because: { list_links: "total is how many match" },
  },
  // Changing
  {
    says: "Point launch at the new page",
    calls: [
      call("get_link", { id: "launch" }),
      ask("It leads to https://example.com/launch now. Change it to https://example.com/launched?"),
      call("update_link", { id: "launch", url: "https://example.com/launched" }),
    ],
    holds: ['"destination":"https://example.com/launched"'],
    because: { update_link: "Before you change url or slug, name the link to the user" },
  },
  {
    says: "Pause the newsletter link",
    calls: [call("update_link", { id: "newsletter", is_active: 0 })],
    holds: ['"is_active":0'],
    because: { update_link: "is_active 0 to pause", "update_link.is_active": "0 to pause" },
  },
  {
    says: "Take the password off secret",
    calls: [call("update_link", { id: "secret", clear: ["password"] })],
    holds: ['"has_password":false'],
    because: { update_link: "clear removes some" },
  },
  {
    says: "Call the price list 'Prices 2027' and tag it shop",
    calls: [call("update_link", { id: "prices", title: "Prices 2027", tags: ["shop"] })],
    holds: ['"title":"Prices 2027"', '"tags":["shop"]'],
    because: { update_link: "Changes fields of a link", "update_link.tags": "spring" },
  },
  {
    says: "Delete the old demo link",
    calls: [
      call("list_links", { search: "demo" }),
      ask("Delete http://short.test/demo, which leads to https://example.com/demo?"),
      call("delete_link", { id: "$0.links.0.id" }),
    ],
    holds: ['"deleted":true'],
    because: { delete_link: "only after the user confirmed this very link" },
  },
  {
    says: "Switch off everything that is tagged winter",
    at: full,
    calls: [
      call("bulk_update_links", { filter: { tag: ["winter"] }, set: { is_active: 0 }, dry_run: true }),
      ask("Two links would be switched off. Go on?"),
      call("bulk_update_links", { filter: { tag: ["winter"] }, set: { is_active: 0 } }),
    ],
    holds: ['"changed":2', '"change_id":"'],
    because: {
      bulk_update_links: "First call it with dry_run, tell the user how many would change, and ask",
      "bulk_update_links.filter": "as in list_links",
      "bulk_update_links.set": "is_active 0",
    },
  },
  {
    says: "Undo that",
    at: full,
    calls: [
      call("list_changes", { limit: 5 }),
      ask("Undo the change of two links just now?"),
      call("undo_change", { id: "$0.changes.0.id" }),
    ],
    holds: ['"changed":2'],
    because: { list_changes: "the id for undo_change", undo_change: "when the user regrets a change" },
  },
  {
    says: "Add the tag archive to all links that nobody ever clicked",
    at: full,
    calls: [
      call("bulk_update_links", {
        filter: { last_click_before: "@-1d" },
        add_tags: ["archive"],
        dry_run: true,
      }),
      ask("Tag them?"),
      call("bulk_update_links", { filter: { last_click_before: "@-1d" }, add_tags: ["archive"] }),
    ],
    holds: ['"matched":'],
    because: { bulk_update_links: "tags", "bulk_update_links.add_tags": "Besides the links' own" },
  },
  {
    says: "Delete all expired links",
    at: full,
    calls: [
      call("bulk_delete_links", { filter: { state: "expired" }, dry_run: true }),
      call("list_links", { state: "expired" }),
      ask("Delete this one?"),
      call("bulk_delete_links", { filter: { state: "expired" } }),
    ],
    holds: ['"changed":1'],
    because: { bulk_delete_links: "tell the user how many and which would be deleted, and ask" },
  },
  {
    says: "Oh no, bring them back",
    at: full,
    calls: [
      call("list_changes", { limit: 1 }),
      ask("Bring back the link that was deleted just now?"),
      call("undo_change", { id: "$0.changes.0.id" }),
    ],
    holds: ["http://short.test/ended", '"title":'],
    because: { undo_change: "a deleted link comes back with its clicks" },
  },
  {
    says: "Who changed the destination of launch, and what was it before?",
    at: full,
    calls: [call("get_link_history", { id: "launch" })],
    holds: ["https://example.com/launch", '"action":"update"'],
    because: { get_link_history: "each field from what to what" },
  },
  // Analytics
  {
    says: "How are my links doing?",
    calls: [call("get_analytics")],
    holds: ['"clicks":', '"top_links":[{'],
    because: { get_analytics: "links of the account" },
  },
  {
    says: "How did launch do in the last week, compared with the one before?",
    calls: [call("get_analytics", { id: "launch", period: "7d", compare: true })],
    holds: ['"period":"7d"', '"previous":{'],
    because: { get_analytics: "of one link (id)", "get_analytics.compare": "the window before" },
  },
  {
    says: "Where do my visitors come from?",
    calls: [call("get_analytics", { fields: ["countries", "referrers", "channels"] })],
    holds: ['"referrer":"news.example"', '"channels":['],
    because: { get_analytics: "also channels", "get_analytics.fields": "referrers" },
  },
  {
    says: "How many clicks on mobile outside Germany last year?",
    calls: [
      call("get_analytics", { period: "1y", device: ["mobile"], country: ["!DE"], fields: ["clicks"] }),
    ],
    holds: ['"clicks":'],
    because: { get_analytics: "!DE excludes", "get_analytics.device": "mobile" },
  },
  {
    says: "Which campaign brought the most?",
    calls: [call("get_analytics", { group_by: ["utm_campaign"], fields: ["groups"] })],
    holds: ['"utm_campaign":"spring"'],
    because: {
      get_analytics: "group_by compares links, tags or campaigns",
      "get_analytics.group_by": "One or two",
    },
  },
  {
    says: "Compare my tags by device",
    calls: [call("get_analytics", { group_by: ["tag", "device"] })],
    holds: ['"tag":"spring"', '"device":"'],
    because: { "get_analytics.group_by": "country, device" },
  },
  {
    says: "Daily clicks of launch for the last ten days",
    calls: [call("get_link_stats_by_period", { id: "launch", from: "@@-9d", to: "@@+0d" })],
    holds: ['"days":[', '"clicks":5'],
    because: { get_link_stats_by_period: "when the user names dates or wants days" },
  },
  {
    says: "What were the clicks of launch this year, month by month?",
    calls: [call("get_analytics", { id: "launch", period: "1y", fields: ["timeseries", "granularity"] })],
    holds: ['"granularity":"month"', '"timeseries":['],
    because: { get_analytics: "a time series", "get_analytics.period": "ends now" },
  },
  {
    says: "How many visits were by AI crawlers?",
    calls: [call("get_analytics", { fields: ["bots", "bots_by"] })],
    holds: ['"bots_by":['],
    because: { get_analytics: "bots_by" },
  },
  {
    says: "Is anybody clicking right now?",
    at: full,
    calls: [call("list_recent_clicks")],
    holds: ['"shortUrl":"http://short.test/launch"'],
    because: { list_recent_clicks: "whether a link works right now" },
  },
  {
    says: "Where would launch send somebody in France, and why?",
    at: full,
    calls: [call("explain_link", { id: "launch", country: "FR" })],
    holds: ['"outcome":"redirect"', '"reasons":['],
    because: { explain_link: "which rule decides, and why", "explain_link.country": "Of the visitor" },
  },
  {
    says: "If I had sent mobiles to the app, how many clicks would have gone there?",
    at: full,
    calls: [
      call("what_if", {
        id: "launch",
        draft: { rules: [{ when: { device: ["desktop"] }, url: "https://example.com/app" }] },
      }),
    ],
    holds: ['"moved":', "https://example.com/app"],
    because: { what_if: "Use it before you change rules", "what_if.draft": "What would change" },
  },
  // QR codes
  {
    says: "A QR code for launch, for a poster",
    calls: [call("generate_qr", { id: "launch", size: 1000 })],
    holds: ['"content_type":"image/svg+xml"', "<svg"],
    because: { generate_qr: "print, slides and signs", "generate_qr.size": "Pixels" },
  },
  {
    says: "The same in dark blue with round dots",
    calls: [call("generate_qr", { id: "launch", size: 1000, color: "#003366", dots: "rounded" })],
    holds: ['"file_name":"launch.svg"'],
    because: { "generate_qr.color": "#036", "generate_qr.dots": "Shape" },
  },
  // Buckets
  {
    says: "Which pages do I have?",
    calls: [call("list_buckets")],
    holds: ['"name":"Ada Lovelace"'],
    because: { list_buckets: "link-in-bio pages" },
  },
  {
    says: "Make a page for the meetup with the agenda and the map",
    calls: [
      call("create_bucket", {
        name: "Meetup",
        links: [
          { title: "Agenda", url: "https://example.com/agenda" },
          { title: "Map", url: "https://example.com/map" },
        ],
      }),
    ],
    holds: ['"name":"Meetup"', '"title":"Map"'],
    because: { create_bucket: "when links belong together", "create_bucket.links": "title Blog, url" },
  },
  {
    says: "Add my talks to Ada's page, at the top",
    at: full,
    calls: [
      call("list_buckets"),
      call("get_bucket", { id: "$0.buckets.1.id" }),
      call("update_bucket", {
        id: "$0.buckets.1.id",
        links: [{ title: "Talks", url: "https://example.com/talks" }, "$1.links.0"],
      }),
    ],
    holds: ['"links":[{"title":"Talks"', '"title":"Notes"'],
    because: {
      update_bucket: "to add or move one, send all of them in order",
      get_bucket: "before update_bucket",
    },
  },
  {
    says: "Which link on Ada's page is used most?",
    at: full,
    calls: [call("list_buckets"), call("get_bucket_stats", { id: "$0.buckets.1.id" })],
    holds: ['"views":', '"clicks":'],
    because: { get_bucket_stats: "which of its links is used" },
  },
  {
    says: "Take down the meetup page",
    at: full,
    calls: [
      call("list_buckets"),
      ask("Delete the page Meetup? That cannot be undone."),
      call("delete_bucket", { id: "$0.buckets.0.id" }),
    ],
    holds: ['"deleted":true'],
    because: { delete_bucket: "It cannot be undone" },
  },
  // Tags, domains, jobs
  {
    says: "Which tags do I use?",
    at: full,
    calls: [call("list_tags")],
    holds: ['"name":"spring","links":2'],
    because: { list_tags: "how many links have each" },
  },
  {
    says: "Rename the tag spring to spring-2026",
    at: full,
    calls: [
      call("list_tags"),
      ask("Rename spring, which two links have?"),
      call("rename_tag", { id: "$0.tags.name=spring.id", name: "spring-2026" }),
    ],
    holds: ['"name":"spring-2026","links":2'],
    because: { rename_tag: "on all its links", "rename_tag.id": "Name" },
  },
  {
    says: "I do not need the tag winter any more",
    at: full,
    calls: [
      call("list_tags"),
      ask("Two links have it; they stay. Delete the tag?"),
      call("delete_tag", { id: "$0.tags.name=winter.id" }),
    ],
    holds: ['"deleted":true'],
    because: { delete_tag: "Tell the user how many links have it" },
  },
  {
    says: "I want short links on go.example.com",
    at: full,
    calls: [call("add_domain", { domain: "links.example.com" })],
    holds: ['"status":"pending"', "_terse-challenge.links.example.com"],
    because: { add_domain: "Show the user the DNS records" },
  },
  {
    says: "I have set the DNS records, does it work?",
    at: full,
    calls: [call("list_domains"), call("verify_domain", { id: "$0.domains.0.id" })],
    holds: ['"checks":[', '"ok":false'],
    because: { verify_domain: "when the user has set the records", list_domains: "status" },
  },
  {
    says: "Visitors of the bare domain should see our home page",
    at: full,
    calls: [
      call("list_domains"),
      call("update_domain", { id: "$0.domains.0.id", root_url: "https://example.com/" }),
    ],
    holds: ['"root_url":"https://example.com/"'],
    because: { update_domain: "the bare domain", "update_domain.root_url": "For the bare domain" },
  },
  {
    says: "How is my import going?",
    at: full,
    calls: [call("list_jobs"), call("get_job", { id: "$0.jobs.0.id" })],
    holds: ['"kind":"links.import"', '"status":"'],
    because: { list_jobs: "how an import goes", get_job: "status, done of total" },
  },
];
