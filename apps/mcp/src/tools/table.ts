import { appRouter } from "@terse/core";
import * as z from "zod";
import { bucketLine, daysLine, linkLine, pageLine, reportLine } from "./texts.ts";
import { type Hints, tool, type Tool } from "./tool.ts";

const { analytics, buckets, links } = appRouter;

/** Nothing here reaches beyond the account: the world is closed. */
const reads: Hints = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};
const creates: Hints = { ...reads, readOnlyHint: false, idempotentHint: false };
const overwrites: Hints = { ...reads, readOnlyHint: false, destructiveHint: true };

/** Every tool of the server, in the order in which it lists them. */
export const tools = {
  create_link: tool(links.create, {
    title: "Create a short link",
    description:
      "Shortens a URL. Use it when the user wants a short, memorable or trackable link. Only `url` is needed; without `slug` a random one is made. Protect it with `password`, end it with `expires_at`, send countries elsewhere with `geo_rules`, or split visitors over variants with `ab_test`. A slug that is taken is refused: offer another one.",
    hints: creates,
    text: (link) => `Created ${linkLine(link)}`,
  }),
  list_links: tool(links.list, {
    title: "List links",
    description:
      "Lists the account's links, newest first, a page at a time. Use it to find a link by a part of its slug, title or destination (`search`), or to go through all of them: `total_pages` says how many pages there are.",
    hints: reads,
    list: "links",
    text: ({ data, meta }) => [pageLine(meta, "link"), ...data.map(linkLine)].join("\n"),
  }),
  get_link: tool(links.get, {
    title: "Get a link",
    description:
      "Gives one link with all of its settings and its click count. Use it when the user names a link by its slug, short URL or id.",
    hints: reads,
    text: linkLine,
  }),
  update_link: tool(links.update, {
    title: "Update a link",
    description:
      "Changes a link at once, everywhere. Pass `id` and only what is to change; anything left out stays, and null clears `title`, `password`, `expires_at`, `geo_rules` or `ab_test`. `is_active` 0 switches the link off without deleting it. A new `slug` takes the old short URL out of service.",
    hints: overwrites,
    text: (link) => `Updated ${linkLine(link)}`,
  }),
  delete_link: tool(links.delete, {
    title: "Delete a link",
    description:
      "Deletes a link for good and frees its slug for anybody. Use it only when the user asked for exactly this link to be deleted; to stop a link for a while, use update_link with `is_active` 0.",
    hints: overwrites,
    text: ({ id }) => `Deleted link ${id}; its slug is free`,
  }),
  get_analytics: tool(analytics.overview, {
    title: "Get analytics",
    description:
      "Gives clicks, visitors, the trend over time, countries, devices, browsers, systems and referrers, for one link (`id`) or, without `id`, for the whole account with its best links. Use it for questions about how links do. `period` is the last 7 days, 30 days or 12 months; `compare` adds the same time before.",
    hints: reads,
    forLink: analytics.link,
    narrowed: {
      period: z
        .enum(["7d", "30d", "1y"], "must be one of 7d, 30d, 1y")
        .default("30d")
        .describe("How far to look back from now"),
    },
    text: reportLine,
  }),
  get_link_stats_by_period: tool(analytics.dailyStats, {
    title: "Get daily clicks of a link",
    description:
      "Gives a link's clicks and visitors day by day between two dates, both included, at most 366 days. Use it when the user names dates, or wants a figure for each day. Days without clicks are in it, with zeros.",
    hints: reads,
    list: "days",
    text: daysLine,
  }),
  generate_qr: tool(links.qr, {
    title: "Generate a QR code",
    description:
      "Draws the QR code of a link's short URL as an SVG picture, given as an image and as text to save. Use it for print, slides and signs. `size` is in pixels; colours need a strong contrast or scanners fail.",
    hints: reads,
    text: ({ file_name }) => `QR code ${file_name ?? ""}`.trimEnd(),
    content: ({ content_type, body }) => [
      { type: "image", data: Buffer.from(body).toString("base64"), mimeType: content_type },
      { type: "text", text: body },
    ],
  }),
  list_buckets: tool(buckets.list, {
    title: "List buckets",
    description:
      "Lists the account's buckets, newest first: link-in-bio pages, each with up to ten links behind one short URL. Use it when the user asks for their pages or bundles of links.",
    hints: reads,
    list: "buckets",
    text: ({ data, meta }) => [pageLine(meta, "bucket"), ...data.map(bucketLine)].join("\n"),
  }),
  create_bucket: tool(buckets.create, {
    title: "Create a bucket",
    description:
      "Makes a link-in-bio page: one short URL whose page shows up to ten links. Use it when several links belong together, such as a profile's or an event's. `name` is the page's heading; `links` are shown in the order given, each with a `title` and a `url`.",
    hints: creates,
    text: (bucket) => `Created ${bucketLine(bucket)}`,
  }),
} satisfies Record<string, Tool>;
