/** Recognises the columns of a file by their names; pure. */

/** Columns that are read directly */
export const maxImportBytes = 20 * 1024 * 1024;
export const maxImportRows = 100_000;

/** Where a file can be said to be from; `list` is any other file. */
export const importSources = [
  "bitly",
  "dub",
  "kutt",
  "short.io",
  "rebrandly",
  "shlink",
  "yourls",
  "sink",
  "terse",
  "list",
] as const;

/** The fields whose columns people choose. */
export const fieldNames = ["url", "slug", "title", "tags", "expires_at"] as const;
export type FieldName = (typeof fieldNames)[number];

/** Names without spaces and signs, in lower case, the most telling ones first. */
const known = {
  url: [
    "destinationurl",
    "destination",
    "longurl",
    "originalurl",
    "targeturl",
    "target",
    "long",
    "url",
    "link",
  ],
  slug: [
    "slug",
    "custombitlink",
    "custombitlinks",
    "customlink",
    "custombackhalf",
    "backhalf",
    "customalias",
    "customslug",
    "customurl",
    "vanity",
    "vanityurl",
    "keyword",
    "shortcode",
    "slashtag",
    "alias",
    "path",
    "address",
    "key",
    "shortid",
    "short",
    "shortlink",
    "shorturl",
    "bitlink",
    "link",
  ],
  title: ["title", "name", "description"],
  tags: ["tags", "tag", "labels", "tagname"],
  notes: ["notes", "note", "comments", "comment", "memo", "remarks"],
  /** Of Bitly, a short URL without its scheme */
  id: ["id"],
  domain: ["domain", "domainfullname", "domainname"],
  created_at: ["createdat", "datecreated", "created", "creationdate", "timestamp", "dateadded"],
  clicks: [
    "clicks",
    "visitcount",
    "visits",
    "totalclicks",
    "visitssummarytotal",
    "visitscount",
    "clickcount",
    "hits",
  ],
  imported_clicks: ["importedclicks"],
  redirect_status: [
    "redirectstatus",
    "redirecttype",
    "redirectcode",
    "redirectionstatus",
    "redirectiontype",
    "redirectioncode",
    "statuscode",
    "httpcode",
    "httpstatus",
    "httpstatuscode",
  ],
  query: ["redirectwithquery", "forwardparameters", "forwardquery", "passquery", "queryforwarding"],
  forward_path: ["forwardpath"],
  ios: ["iphoneurl", "iosurl", "iphone", "ios", "apple", "iosredirecturl"],
  android: ["androidurl", "android", "google", "androidredirecturl"],
  geo: ["geo", "geourls", "geotargeting"],
  split_url: ["spliturl"],
  split_percent: ["splitpercent"],
  variants: ["testvariants"],
  archived: ["archived", "isarchived", "archive", "archivedat"],
  rules: ["rules"],
  geo_rules: ["georules"],
  ab_test: ["abtest"],
  preview: ["preview"],
  qr: ["qr"],
} as const satisfies Record<string, readonly string[]>;

/** What closes or limits a link has many names; the first pattern that matches counts. */
const patterns = {
  fallback_url:
    /^fallback(?:url)?$|(?:expir\w*|inactive|limit\w*|ended)(?:url|redirect|redirecturl|destination|link)$/,
  password: /passw|passcode|passphrase|protected$|^(?:has)?p(?:wd|in)$|secret/,
  starts_at:
    /(?:lock|block|suspend|disab|paus|bann|hidden|embargo)\w*until|(?<!not)(?:valid|active|available|live|visible)(?:since|from|after)$|not(?:valid)?before|(?:^|link)start(?:s|date|time|at|on)?$|starts(?:at|on)$|startdate|golive|launch(?:at|on|date)|embargo|schedul|publish(?:ed)?(?:at|on|date)$|activat(?:e|ion)(?:at|on|date)$/,
  expires_at:
    /expir|^exp$|until|deadline|not(?:valid)?after|^ttl$|timetolive|sunset|lifetime|lifespan|autodelete|autoarchive|(?:delete|archive|stop|disable|deactivate|clos(?:es|ing|e)|finish(?:es)?)(?:at|on|after|date)$|(?:valid|active|available|live)(?:to|till|thru|through)$|(?:^|link)end(?:s|date|time|at|on)?$|(?<!susp|ext|am|att|app|dep|int|s|recomm)end(?:s|ed|ing)?(?:at|on|date|time)$/,
  click_limit:
    /^max(?:imum)?(?:number)?(?:of)?(?:visit|click|use|hit|view|redirect|access|open)|(?:visit|click|use|hit|view|usage|redirect)s?(?:limit|cap|max|quota|allowed)$|limit(?:of)?(?:visit|click|use|hit|view)|^limit$|^quota$|oneti?me|singleuse|selfdestruct|burn/,
  remaining:
    /(?:visit|click|use|hit|view|redirect)s?(?:remaining|left)$|remaining(?:visit|click|use|hit|view|redirect)/,
  restricted:
    /require|restrict|whitelist|allowlist|^allowed|blocked?(?:countr|ip|user|referr|agent|bot)|denied|denylist|geoblock|geofence|^(?:ip|geo|countr\w*|referr?er)(?:allow|deny|block|filter)|only$|private|privacy|visibility|audience|permission|^acl$|captcha|agegate|^access(?:level)?$|^auth(?!or)|^login|^sso$/,
  public: /^(?:is)?(?:public|visible)$/,
  off: /delet|trash|disab|deactiv|paus|suspend|bann|block|flagg|spam|(?<!doma)inactiv|blacklist|revok|unpublish|draft|quarantin|malicious|abus|remov|clos|lock|stopped|offline|cancel|hidden|terminat/,
  on: /^(?:is)?(?:link)?(?:active|enabled|live|published|online|approved)$/,
  status: /^(?:link)?(?:status|state)$/,
} as const satisfies Record<string, RegExp>;

/** The meaning of a column. */
export type Kind = keyof typeof known | keyof typeof patterns;

/** Names that a pattern would take for another thing. */
const harmless = /^(?:passwordcontact|block(?:ed)?(?:bots|crawlers)|clocks?|can.*)$/;

const kinds = new Map<string, Kind>(
  Object.entries(known).flatMap(([kind, names]) => names.map((name) => [name, kind as Kind] as const)),
);

/** No name of a column is longer. */
const maxNameLength = 100;
const plain = (name: string) =>
  name
    .slice(0, maxNameLength)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");

/** The meaning of a column with this name; null if it is not a link's. A name such as `meta.validUntil` is a path. */
export function kindOf(name: string): Kind | null {
  const exact = kinds.get(plain(name));
  if (exact) return exact;
  const path = name.slice(0, maxNameLength).split(".").map(plain);
  const whole = path.join(".");
  if (patterns.password.test(whole) && !harmless.test(whole)) return "password";
  for (const each of new Set([path.at(-1) ?? "", whole])) {
    if (harmless.test(each)) return null;
    for (const [kind, pattern] of Object.entries(patterns))
      if (pattern.test(each) && (path.length === 1 || kind !== "status")) return kind as Kind;
  }
  return null;
}

/** Columns that only one service has together: those of its CSV, or the members of its JSON. */
const signatures: readonly (readonly [source: string, ...columns: string[]])[] = [
  ["Terse", "clickcount", "destination", "slug"],
  ["Dub", "destinationurl", "shortlink"],
  ["Dub", "key", "url", "shortlink"],
  ["Dub", "key", "archived", "folder"],
  ["Sink", "url", "slug", "createdat", "id"],
  ["Bitly", "longurl", "bitlink"],
  ["Bitly", "longurl", "link"],
  ["Bitly", "longurl", "custombitlink"],
  ["Bitly", "destinationurl", "customlink"],
  ["Rebrandly", "slashtag", "destination"],
  ["Short.io", "originalurl", "path"],
  ["Short.io", "originalurl", "shorturl"],
  ["Kutt", "address", "target"],
  ["Shlink", "longurl", "shortcode"],
  ["YOURLS", "keyword", "url"],
];

/** The numbers of the columns of each kind, the most telling ones first. */
export type Columns = Readonly<Partial<Record<Kind, readonly number[]>>>;

export interface Recognized {
  /** The service that exports files with such a header; null if it is not known */
  source: string | null;
  columns: Columns;
}

/** Recognizes the columns of a file by their names. */
export function recognize(names: readonly string[]): Recognized {
  const header = names.map(plain);
  const source =
    signatures.find(([, ...columns]) => columns.every((name) => header.includes(name)))?.[0] ?? null;
  const columns: Partial<Record<Kind, number[]>> = {};
  for (const [kind, listed] of Object.entries(known)) {
    const numbers = listed.flatMap((name) => header.flatMap((each, at) => (each === name ? [at] : [])));
    if (numbers.length > 0) columns[kind as Kind] = numbers;
  }
  for (const [at, name] of names.entries()) {
    const kind = kinds.has(plain(name)) ? null : kindOf(name);
    if (kind) (columns[kind] ??= []).push(at);
  }
  // `link` and the like are names of both: where another column has the destination, it has the slug.
  const [url] = columns.url ?? [];
  const slugs = columns.slug?.filter((at) => at !== url) ?? [];
  const urls = columns.url?.filter((at) => !slugs.includes(at)) ?? [];
  return { source, columns: { ...columns, url: urls, slug: slugs } };
}
