import { appRouter } from "@terse/core";
import * as z from "zod";
import { bucketLine, daysLine, linkLine, pageLine, reportLine } from "./texts.ts";
import { type Hints, tool, type Tool } from "./tool.ts";

const { analytics, buckets, links } = appRouter;

/** Tools only touch the account itself (`openWorldHint: false`). */
const reads: Hints = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};
const creates: Hints = { ...reads, readOnlyHint: false, idempotentHint: false };
const overwrites: Hints = { ...reads, readOnlyHint: false, destructiveHint: true };

/** Width and height of a QR code that a model looks at. */
const qrPixels = 512;

/** All tools, in the order in which they are listed. */
export const tools = {
  create_link: tool(links.create, {
    title: "Create a short link",
    description:
      "Shortens a URL. Use it when the user wants a short, memorable or trackable link. Only `url` is required; without `slug` a random one is generated. Optionally protect the link with `password`, limit when it works with `starts_at`, `expires_at` and `click_limit` (with `fallback_url` for everybody else), send some visitors elsewhere by device, language, time and more with `rules` or by country with `geo_rules`, split visitors between variants with `ab_test`, choose what chats show of it with `preview`, or pass on what visitors add to the short URL with `forward_query` and `forward_path`. `tags` group links, and `notes` are for the account only. If a slug is taken, suggest another one.",
    hints: creates,
    text: (link) => `Created ${linkLine(link)}`,
  }),
  list_links: tool(links.list, {
    title: "List links",
    description:
      "Lists the account's links, one page at a time, newest first unless `sort` says otherwise. Use it to find a link by part of its slug, title or destination (`search`), to find links by `tag`, state, domain, options, creation or last click, or to go through all of them: `total_pages` is the number of pages, or a lower limit of it if `total_is_exact` is false. Rows are short: long titles and destinations are cut off, and `fields` selects other fields, in full; get_link returns everything about one link.",
    hints: reads,
    list: "links",
    rows: {
      id: null,
      shortUrl: null,
      destination: 120,
      title: 60,
      tags: null,
      click_count: null,
      last_click_at: null,
      is_active: null,
      created_at: null,
      expires_at: null,
    },
    text: ({ meta }) => pageLine(meta, "link"),
  }),
  get_link: tool(links.get, {
    title: "Get a link",
    description:
      "Returns one link with all its settings and its click count. Use it when the user names a link by its slug, short URL or id.",
    hints: reads,
    text: linkLine,
  }),
  update_link: tool(links.update, {
    title: "Update a link",
    description:
      "Updates a link; the change takes effect everywhere at once. Pass `id` and only the fields to change; omitted fields keep their value, and null clears `title`, `notes`, `tags`, `password`, `starts_at`, `expires_at`, `rules`, `click_limit`, `fallback_url`, `geo_rules`, `ab_test` or `preview`, and sets other options to their defaults. `is_active` 0 disables the link without deleting it. With a new `slug`, the old short URL stops working.",
    hints: overwrites,
    text: (link) => `Updated ${linkLine(link)}`,
  }),
  delete_link: tool(links.delete, {
    title: "Delete a link",
    description:
      "Deletes a link permanently and frees its slug for anyone. Use it only when the user asked to delete exactly this link; to disable a link temporarily, use update_link with `is_active` 0.",
    hints: overwrites,
    text: ({ id }) => `Deleted link ${id}; its slug is available again`,
  }),
  get_analytics: tool(analytics.overview, {
    title: "Get analytics",
    description:
      'Returns clicks, visitors, the trend over time, countries, devices, browsers, operating systems and referrers, for one link (`id`) or, without `id`, for the whole account with its top links. Use it for questions about how links perform. `period` is the last 7 days, 30 days or 12 months; `from` and `to` give any other window. `compare` adds the previous window of the same length. `country`, `device`, `referrer` and the other filters narrow all figures: several values of one are alternatives, and "!" before a value excludes it. `group_by` with one or two of their names compares links, tags, campaigns or countries in one answer. `bots_by` says what made visits bots\'.',
    hints: reads,
    forLink: analytics.link,
    narrowed: {
      period: z
        .enum(["7d", "30d", "1y"], "must be one of 7d, 30d, 1y")
        .optional()
        .describe("How far to look back from now. Default: 30d"),
    },
    text: reportLine,
  }),
  get_link_stats_by_period: tool(analytics.dailyStats, {
    title: "Get daily clicks of a link",
    description:
      "Returns a link's clicks and visitors for each day between two dates, inclusive, at most 366 days. Use it when the user names dates or wants daily figures. Days without clicks are included as zeros. Filters are those of get_analytics.",
    hints: reads,
    list: "days",
    text: daysLine,
  }),
  generate_qr: tool(links.qr, {
    title: "Generate a QR code",
    description:
      "Creates the QR code of a link's short URL: a PNG to look at and, in `body`, an SVG to save. Use it for print, slides and signs. `size` is that of the SVG in pixels; colours need strong contrast, or scanners fail to read the code.",
    hints: reads,
    fixed: { format: "svg" },
    text: ({ file_name }) => `QR code ${file_name ?? ""}, as an image; its SVG is in body`,
    // Assistants' models read PNG, and refuse a whole conversation that contains another kind of image.
    async content(_, again) {
      const { content_type, body } = await again({ format: "png", size: qrPixels });
      return [{ type: "image", data: body, mimeType: content_type }];
    },
  }),
  list_buckets: tool(buckets.list, {
    title: "List buckets",
    description:
      "Lists the account's buckets, newest first. A bucket is a link-in-bio page: up to ten links behind one short URL. Use it when the user asks about their pages or collections of links.",
    hints: reads,
    list: "buckets",
    text: ({ data, meta }) => [pageLine(meta, "bucket"), ...data.map(bucketLine)].join("\n"),
  }),
  create_bucket: tool(buckets.create, {
    title: "Create a bucket",
    description:
      "Creates a link-in-bio page: one short URL that shows up to ten links. Use it when several links belong together, for example those of a profile or an event. `name` is the page's heading; `links` appear in the given order, each with a `title` and a `url`.",
    hints: creates,
    text: (bucket) => `Created ${bucketLine(bucket)}`,
  }),
} satisfies Record<string, Tool>;
