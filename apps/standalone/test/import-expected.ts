import type { FileOptions, RowOutcome } from "./import-doors.ts";

/** What becomes of each file of `import-files`, whatever way it comes in. */

/** A reason names a part of its sentence. */
export interface Expected extends FileOptions {
  /** Another name in the table, for a file that is imported twice */
  as?: string;
  file: string;
  /** Why the whole file is refused */
  refusal?: string;
  rows?: Record<number, RowOutcome>;
}

const example = "https://example.com/";
const go = "go.acme.example";

/** A created link, with the options that differ from their defaults. */
const link = (slug: unknown, destination: number | string, more: object = {}): RowOutcome => ({
  status: "created",
  link: {
    slug,
    destination: typeof destination === "number" ? `${example}${destination}` : destination,
    ...more,
  },
});
const existing = (slug: string, destination: number | string, more: object = {}): RowOutcome => ({
  ...(link(slug, destination, more) as object),
  status: "existing",
});
const at = (time: string) => `${time}T12:00:00.000Z`;
const midnight = (day: string) => `${day}T00:00:00.000Z`;
const ios = { when: { os: ["iOS"] }, url: "https://apps.example/ios" };
const german = [{ country: "DE", url: `${example}de` }];

const foreign = (host: string) =>
  `domain: must be a verified custom domain of this account, which ${host} is not`;
const hasPassword = "password: is not known";
const notEmpty = "must have at least one link";

export const expected: readonly Expected[] = [
  // Bitly
  {
    file: "bitly-dashboard.csv",
    rows: {
      2: link("bitly-launch", 1, { title: "Launch, in spring", domain: go, tags: ["news", "spring"] }),
      3: link("3xYz2", 2, { domain: go }),
      4: foreign("bit.ly"),
    },
  },
  {
    file: "bitly-dashboard.csv",
    as: "bitly-dashboard.csv, all to one domain",
    domain: "short.test",
    rows: {
      2: link("bitly-launch", 1, { title: "Launch, in spring", tags: ["news", "spring"] }),
      3: link("3xYz2", 2),
      4: link("3xYz3", 3),
    },
  },
  {
    file: "bitly-group.csv",
    rows: {
      2: link("bitly-group", 1, { title: "A title", domain: go, tags: ["a"] }),
      3: "slug: may have letters",
    },
  },
  { file: "bitly-third.csv", rows: { 2: link("bitly-third", 1, { title: "A title", domain: go }) } },
  {
    file: "bitly-api.json",
    rows: {
      1: link("bitly-own", 1, { title: "Own", domain: go, tags: ["a", "b, c"] }),
      2: link("3xAp2", 2, { domain: go }),
      3: "is_deleted:",
    },
  },
  {
    file: "bitly-map.json",
    rows: { 1: link("map-one", 1, { domain: go }), 2: link("map-two", 2, { domain: go }) },
  },
  // Short.io
  {
    file: "short-io-all.tsv",
    rows: {
      2: link("sio-ends", 1, {
        title: "Ends",
        domain: go,
        tags: ["a", "b"],
        expires_at: at("2099-01-31"),
        fallback_url: `${example}over`,
        redirect_status: 301,
      }),
      3: link("sio-split", 2, {
        domain: go,
        rules: [ios],
        ab_test: {
          variants: [
            { url: `${example}2`, weight: 70 },
            { url: `${example}other`, weight: 30 },
          ],
        },
      }),
      4: hasPassword,
      5: link("sio-limit", 4, { domain: go, click_limit: 5 }),
    },
  },
  {
    file: "short-io-api.json",
    rows: { 1: link("sio-api", 1, { title: "A title", tags: ["a"], rules: [ios] }) },
  },
  // Shlink
  {
    file: "shlink-web.csv",
    rows: {
      2: link("shlink-web", 1, { title: "A title", tags: ["a", "b, c"] }),
      3: link("shlink-own", 2, { domain: go }),
      4: foreign("other.example"),
    },
  },
  {
    file: "shlink-api.json",
    rows: {
      1: link("shlink-limits", 1, {
        domain: go,
        tags: ["a"],
        starts_at: "2097-12-31T23:00:00.000Z",
        expires_at: midnight("2099-01-01"),
        click_limit: 7,
        forward_query: "override",
      }),
      2: "all clicks that the link was limited to are used up",
    },
  },
  // Rebrandly
  {
    file: "rebrandly-script.csv",
    rows: { 2: link("rebrandly-one", 1, { domain: go }), 3: foreign("rebrand.ly") },
  },
  {
    file: "rebrandly-api.json",
    rows: {
      1: link("rebrandly-api", 1, {
        title: "A title",
        domain: go,
        tags: ["a, b"],
        forward_query: "override",
      }),
    },
  },
  // Dub
  {
    file: "dub.csv",
    rows: { 2: link("dub-one", 1, { domain: go, tags: ["a", "b"] }), 3: foreign("dub.sh") },
  },
  {
    file: "dub-keys.csv",
    rows: { 2: link("dub-key", 1, { title: "A title" }), 3: "slug: may have letters" },
  },
  {
    file: "dub-api.json",
    rows: {
      1: link("dub-api", 1, {
        title: "A title",
        domain: go,
        tags: ["a"],
        expires_at: at("2099-01-31"),
        fallback_url: `${example}over`,
        rules: [ios],
        geo_rules: german,
      }),
      2: hasPassword,
    },
  },
  // Others
  { file: "tiny-cc.csv", rows: { 2: link("tiny-one", 1, { notes: "A; note" }) } },
  { file: "tiny-cc-urls.csv", rows: { 2: link("tiny-url", 1, { domain: go }) } },
  { file: "cuttly.csv", refusal: "has 3 columns and no header; name them with columns" },
  {
    file: "cuttly.csv",
    as: "cuttly.csv, columns named",
    columns: ["destination", "slug", "tags"],
    rows: {
      1: link("cuttly-one", 1, { tags: ["news"] }),
      2: link("cuttly-two", 2, { domain: go }),
      3: link(generated(), 3),
    },
  },
  { file: "bl-ink.csv", refusal: "has 7 columns and no header; name them with columns" },
  {
    file: "bl-ink.csv",
    as: "bl-ink.csv, columns named",
    columns: ["destination", "slug", "title", "expires_at", "-", "-", "redirect_status"],
    rows: {
      1: link("bl-ink-one", 1, {
        title: "A description",
        expires_at: midnight("2099-01-31"),
        redirect_status: 301,
      }),
      2: "slug: may have letters",
    },
  },
  {
    file: "yourls-table.csv",
    rows: { 2: link("yourls-one", 1, { title: "A title" }), 3: "slug: may have letters" },
  },
  { file: "golink.jsonl", rows: { 1: link("golink-one", 1), 2: "has a placeholder" } },
  {
    file: "kutt-api.json",
    rows: {
      1: link("kutt-one", `${example}kutt-one`, { title: "A title" }),
      2: link("kutt-banned", `${example}kutt-banned`, { is_active: 0 }),
      3: hasPassword,
      4: link("kutt-ends", `${example}kutt-ends`, { expires_at: at("2099-01-31") }),
    },
  },
  {
    file: "sink.json",
    rows: {
      1: link("sink-one", 1, {
        title: "A title",
        notes: "Words",
        expires_at: at("2099-01-31"),
        rules: [ios],
        geo_rules: german,
        forward_query: "override",
      }),
      2: hasPassword,
    },
  },
  // Terse's own export
  {
    file: "terse.csv",
    rows: {
      2: link("own-scheduled", 1, {
        title: "A title",
        tags: ["a, b", "c"],
        notes: "Two\nlines",
        starts_at: at("2030-01-31"),
        expires_at: at("2031-01-31"),
        preview: { title: "T", description: null, image: null },
        rules: [ios],
        geo_rules: german,
        fallback_url: `${example}over`,
        redirect_status: 301,
        forward_path: true,
        forward_query: "keep",
      }),
      3: link("own-off", 2, {
        domain: go,
        is_active: 0,
        click_limit: 6,
        ab_test: {
          variants: [
            { url: `${example}a`, weight: 1 },
            { url: `${example}b`, weight: 2 },
          ],
        },
      }),
      4: hasPassword,
      5: "all clicks that the link was limited to are used up",
    },
  },
  // Files of other kinds
  { file: "netscape-bookmarks.html", refusal: "is a file of bookmarks" },
  { file: "page.html", refusal: "is an HTML page" },
  { file: "sitemap.xml", refusal: "is XML" },
  { file: "workbook.xlsx", refusal: "is a workbook (.xlsx, .ods)" },
  { file: "old-workbook.xls", refusal: "is a workbook of Excel (.xls)" },
  { file: "report.pdf", refusal: "is a PDF" },
  { file: "polr.sql", refusal: "is an SQL dump" },
  // Encodings
  { file: "windows-1252.csv", refusal: "is not UTF-8; it looks like Windows-1252" },
  { file: "latin1.txt", refusal: "is not UTF-8; it looks like Windows-1252 or ISO 8859-1" },
  { file: "koi8-r.csv", refusal: "is not UTF-8; it looks like" },
  { file: "utf-16le.csv", rows: { 2: link("utf-16le", `${example}Gr%C3%B6%C3%9Fe`, { title: "Größe" }) } },
  { file: "utf-16be.txt", rows: { 1: link(generated(), `${example}Gr%C3%B6%C3%9Fe`) } },
  { file: "utf-16-unmarked.csv", refusal: "looks like UTF-16 without a byte-order mark" },
  { file: "utf-8-marked.csv", rows: { 2: link("marked", 1) } },
  {
    file: "broken-before.csv",
    rows: {
      2: "has a broken character",
      3: "has a broken character",
      4: link("whole", 3, { title: "Größe" }),
    },
  },
  // Lists
  {
    file: "list-of-maps.txt",
    rows: {
      1: link(generated(), "https://www.google.com/maps/@52.52,13.40,15z"),
      2: link(generated(), `${example}a,b?c=1,2`),
      4: link(generated(), 3),
    },
  },
  {
    file: "list-as-people-write.txt",
    rows: {
      1: link(generated(), "https://www.example.org/x"),
      2: link(generated(), example),
      3: link(generated(), "https://xn--mnchen-3ya.example/stra%C3%9Fe?a=b"),
      4: "url: must be an absolute",
      5: "url: must be an absolute",
      6: "url: ",
      7: "url: must not contain a user name or password",
      8: "url: must not point back at a short-link host",
    },
  },
  {
    file: "longer-than-its-header.csv",
    rows: { 2: "has 3 values, more than the 2 of the header", 3: link(generated(), 2, { title: "Fine" }) },
  },
  { file: "without-header.csv", refusal: "has 3 columns and no header; name them with columns" },
  {
    file: "without-header.csv",
    as: "without-header.csv, columns named",
    columns: ["destination", "slug", "tags"],
    rows: { 1: link("plain-one", 1, { tags: ["news"] }), 2: link("plain-two", 2) },
  },
  // Lines
  {
    file: "line-breaks.csv",
    rows: { 3: link("breaks-one", 1, { title: "Two lines" }), 4: link("breaks-two", 2, { title: "a b" }) },
  },
  { file: "lone-cr.csv", rows: { 2: link("cr-one", 1), 3: link("cr-two", 2) } },
  { file: "unclosed-quote.csv", refusal: "line 3: a quote opens here and is never closed" },
  { file: "excel-semicolons.csv", rows: { 2: link("excel-one", 1, { title: "a, b" }) } },
  // Dates
  {
    file: "dates.csv",
    rows: {
      2: link("dates-iso", 1, { expires_at: midnight("2099-01-31") }),
      3: link("dates-zone", 2, { expires_at: "2099-01-31T10:00:00.000Z" }),
      4: link("dates-space", 3, { expires_at: at("2099-01-31") }),
      5: link("dates-seconds", 4, { expires_at: at("2099-01-31") }),
      6: link("dates-milliseconds", 5, { expires_at: at("2099-01-31") }),
      7: link("dates-zero", 6),
      8: link("dates-null", 7),
      9: link("dates-mysql", 8),
      10: link("dates-blank", 9),
      11: "is no time that can be read",
      12: "is no time that can be read",
      13: link("dates-past", 12, { expires_at: midnight("2020-01-31") }),
    },
  },
  {
    file: "dates-month-first.csv",
    rows: {
      2: link("month-first", 1, { expires_at: midnight("2099-12-31") }),
      3: link("month-first-too", 2, { expires_at: midnight("2099-01-02") }),
    },
  },
  {
    file: "dates-day-first.csv",
    rows: {
      2: link("day-first", 1, { expires_at: midnight("2099-12-31") }),
      3: link("day-first-too", 2, { expires_at: midnight("2099-02-01") }),
    },
  },
  { file: "dates-unclear.csv", refusal: "may have the day or the month first" },
  { file: "dates-both.csv", refusal: "may have the day or the month first" },
  // What closes a link elsewhere
  { file: "closings.json", rows: closings() },
  {
    file: "closings-nested.json",
    rows: {
      1: link("nested-1", 1, { expires_at: at("2099-01-31") }),
      2: hasPassword,
      3: link("nested-3", 3, { starts_at: at("2098-01-31"), click_limit: 4 }),
      4: link("nested-4", 4, { is_active: 0 }),
      5: "meta.deletedAt:",
    },
  },
  { file: "closings-none.csv", rows: { 2: link("none-blank", 1), 3: link("none-false", 2) } },
  {
    file: "limits.csv",
    rows: {
      2: link("limit-left", 1, { click_limit: 6 }),
      3: "all clicks that the link was limited to are used up",
      4: '"many" is no number of clicks',
    },
  },
  // JSON
  {
    file: "json-mixed-keys.json",
    rows: { 1: link("mixed-1", 1), 2: link("mixed-2", 2), 3: link("mixed-3", 3), 4: link("mixed-4", 4) },
  },
  {
    file: "json-lines.jsonl",
    rows: { 1: link("lines-1", 1, { tags: ["a"] }), 3: link("lines-2", 2, { tags: ["b, c"] }) },
  },
  { file: "json-cut.jsonl", refusal: "line 2: is not a JSON object" },
  { file: "json-numbers.json", refusal: "has no list of links" },
  // Slugs, tags and domains
  {
    file: "tags.csv",
    rows: {
      2: link("tags-commas", 1, { tags: ["One", "two"] }),
      3: link("tags-bars", 2, { tags: ["a, b", "c"] }),
      4: "tags: must have at most 20",
    },
  },
  { file: "slugs-unknown-column.csv", refusal: 'column 2, "hash", looks like slugs' },
  {
    file: "slugs-unknown-column.csv",
    as: "slugs-unknown-column.csv, columns named",
    columns: ["destination", "slug"],
    rows: { 2: link("unknown-one", 1), 3: link("unknown-two", 2) },
  },
  {
    file: "slugs-refused.csv",
    rows: {
      2: "slug: may have letters",
      3: "slug: is reserved",
      4: "slug: may have letters",
      5: link("größe-🎉", 4),
    },
  },
  {
    file: "domains.csv",
    rows: {
      2: link("same-slug", 1, { domain: go }),
      3: link("same-slug", 2),
      4: 'slug: "same-slug" is already taken on this domain by a link of yours that differs in url',
      5: foreign("nobody.example"),
    },
  },
  {
    file: "again.csv",
    rows: {
      2: link("again-one", 1, { title: "A title" }),
      3: existing("again-one", 1, { title: "A title" }),
      4: "by a link of yours that differs in expires_at",
      5: "by a link of yours that differs in url, title",
    },
  },
  { file: "columns-unknown.csv", rows: { 2: link("colours", 1) } },
  {
    file: "formulas.csv",
    rows: { 2: link("formula-one", 1, { title: "=1+1" }), 3: link("formula-two", 2, { title: "=1+1" }) },
  },
  // Nothing
  { file: "empty.csv", refusal: notEmpty },
  { file: "header-only.csv", refusal: notEmpty },
  { file: "no-destination.csv", refusal: "no column has the links' destinations" },
];

/** A slug that is generated. */
function generated(): object {
  return { asymmetricMatch: (slug: unknown) => /^\w{7}$/.test(String(slug)) };
}

/** One link for each of forty names of fields that close or limit a link. */
function closings(): Record<number, RowOutcome> {
  const end = { expires_at: midnight("2099-01-31") };
  const start = { starts_at: midnight("2098-01-31") };
  const off = { is_active: 0 };
  const outcomes: (string | object)[] = [
    // expire_at, valid_until, auto_delete, end_date, not_after, expires_on
    ...Array.from({ length: 6 }, () => end),
    // start_date, valid_from, publish_at, go_live_at
    ...Array.from({ length: 4 }, () => start),
    // is_disabled, disabled, paused, suspended, is_banned, blocked, inactive, is_active, enabled, status, state
    ...Array.from({ length: 11 }, () => off),
    "deleted:",
    "deleted_at:",
    "is_trashed:",
    "status:",
    "archived:",
    // password, has_password, password_hash, passcode, is_protected
    ...Array.from({ length: 5 }, () => hasPassword),
    "secret_key:",
    "is_private:",
    "visibility:",
    "require_login:",
    "allowed_countries:",
    { click_limit: 5 },
    { click_limit: 3 },
    { click_limit: 1 },
    "remaining_clicks:",
  ];
  return Object.fromEntries(
    outcomes.map((outcome, index) => [
      index + 1,
      typeof outcome === "string" ? outcome : link(`closing-${index + 1}`, index + 1, outcome),
    ]),
  );
}
