/**
 * Descriptions of arguments for assistants, by name: the meaning, and an example. Short, because it is read before each
 * conversation.
 */
export type Words = Readonly<Record<string, string>>;

/**
 * The usual meaning of an argument; a tool with another meaning describes it itself. Choices and true or false are listed
 * by type.
 */
export const usualWords: Words = {
  id: "Id, slug or short URL, such as launch",

  url: "Such as https://example.com",
  slug: "Such as launch-2026",
  title: "Such as Spring sale",
  tags: "Such as [spring]",
  notes: "Private notes, such as Ask Ada",
  qr: "Style of its QR code, such as color #036",
  domain: "Verified, such as go.example.com",
  starts_at: "404 before, such as 2027-01-01T00:00:00Z",
  expires_at: "410 after, such as 2027-01-31T12:00:00Z",
  click_limit: "410 after this many clicks, such as 100",
  preview: "What chats show, such as title Sale",
  password: "Such as open sesame",
  rules: "The first that matches decides, such as device [mobile]",
  geo_rules: "Such as DE to example.de",
  ab_test: "2 to 4 variants, such as weights 3 and 1",
  fallback_url: "Before start, after end, such as https://a.example",
  redirect_status: "Such as 301",
  forward_path: "Passes on what follows the slug",
  forward_query: "keep: the destination's values win",
  is_active: "Such as 0 to pause",

  page: "Such as 2",
  limit: "1 to 100, such as 20",
  search: "Part of slug, title or destination, such as sale",

  period: "Window that ends now",
  from: "Start, such as 2026-11-01",
  to: "Last day, such as 2026-11-30",
  tz: "Such as Europe/Berlin",
  granularity: "Rows of timeseries",
  country: "Such as DE",
  continent: "Such as EU",
  region: "Such as DE-BY",
  city: "Such as Munich, DE-BY",
  device: "Such as mobile",
  browser: "Such as Firefox",
  os: "Such as Android",
  referrer: "Such as google.com",
  channel: "Such as social",
  utm_source: "Such as newsletter",
  utm_medium: "Such as email",
  utm_campaign: "Such as spring",
  utm_term: "Such as shoes",
  utm_content: "Such as button",
  link_id: "Such as 0190…",
  tag: "Such as spring",
  variant: "Such as 2",
  bot: "Counts bots instead, such as ai",
  group_by: "One or two, such as [country, device]",
  compare: "Adds the previous window",

  ids: "Ids of links, not slugs, such as [0190…]",
  filter: "Instead of ids, as in list_links, such as {tag: [spring]}",
  dry_run: "Checks everything and changes nothing",
};

/** What assistants read about the fields of a bucket. */
export const bucketWords: Words = {
  name: "Heading, such as Ada Lovelace",
  links: "Such as title Blog, url https://example.com",
  description: "Such as Notes on engines",
  accent_color: "Such as #036",
};
