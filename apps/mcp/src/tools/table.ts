import { appRouter } from "@terse/core";
import * as z from "zod";
import { creates, overwrites, reads } from "./hints.ts";
import { inFull } from "./rows.ts";
import { bucketLine, daysLine, linkLine, pageLine, reportLine } from "./texts.ts";
import { tool, type Tool } from "./tool.ts";
import { bucketWords } from "./words.ts";

const { analytics, buckets, links } = appRouter;

/** Width and height of a QR code that a model looks at. */
const qrPixels = 512;

/** What to ask for the rest of an answer that was cut off */
export const byPages = "Ask for fewer rows with limit, page by page, or for fewer fields";
const inFullByGet = "get_link with fields has the rest";

/** The specification's ten tools, in the order in which they are listed. */
export const tools = {
  create_link: tool(links.create, {
    title: "Create a short link",
    description:
      "Creates a short link. Use it when the user wants a URL short, memorable or counted. Only url is needed; without slug a random one is made. Other arguments protect it, limit it, or send some visitors elsewhere. If the slug is taken, suggest another. For several links, show the list and ask before you create them.",
    next: inFullByGet,
    hints: creates,
    text: (link) => `Created ${linkLine(link)}`,
  }),
  list_links: tool(links.list, {
    title: "List links",
    description:
      "Lists links, newest first, a page at a time. Use it to find links by text, tag, maker, state, health or age, or to rank them with sort. Rows are short; fields selects others, get_link has all of one's. total is how many match. Dead links: state expired, inactive or used_up, or health broken.",
    words: {
      domain: "Host, such as go.example.com",
      tag: "All, such as [spring]",
      state: "Such as expired",
      has: "Such as password",
      health: "At the last check",
      created_by: "Such as me or left",
      created_from: "Such as 2026-11-01T00:00:00Z",
      created_to: "Such as 2026-12-01T00:00:00Z",
      last_click_before: "No click since, such as 2026-11-01T00:00:00Z",
      sort: "created_at, updated_at, last_click_at, slug; - descends, such as -click_count",
      fields: "Such as [shortUrl, tags]",
    },
    next: byPages,
    hints: reads,
    list: "links",
    usual: { id: null, shortUrl: null, destination: 24, title: 20, click_count: null },
    text: ({ meta }) => pageLine(meta, "link"),
  }),
  get_link: tool(links.get, {
    title: "Get a link",
    description: "Returns a link with its settings, clicks and health. Use it when the user names one link.",
    words: { fields: "Such as [rules]" },
    usual: "all",
    next: "Ask for the fields that you need with fields",
    hints: reads,
    text: linkLine,
  }),
  update_link: tool(links.update, {
    title: "Update a link",
    description:
      "Changes fields of a link at once; others stay as they are, and clear removes some. Before you change url or slug, name the link to the user: the short URL may be in print, and an old slug stops working.",
    clears: true,
    omitted: ["created_by"],
    words: { clear: "Fields to remove, such as [password]" },
    next: inFullByGet,
    hints: overwrites,
    text: (link) => `Updated ${linkLine(link)}`,
  }),
  delete_link: tool(links.delete, {
    title: "Delete a link",
    description:
      "Deletes a link and frees its slug for anyone. Use it only after the user confirmed this very link; to pause one, use update_link with is_active 0.",
    hints: overwrites,
    text: ({ id }) => `Deleted link ${id}; its slug is available again`,
  }),
  get_analytics: tool(analytics.overview, {
    title: "Get analytics",
    description:
      "Returns clicks, visitors, a time series and the top countries, devices, browsers, systems, referrers and links of the account, or of one link (id). Use it for how links perform. Filters narrow all figures: values of one are alternatives, and !DE excludes. group_by compares links, tags or campaigns. fields has lists in full, also channels and bots_by.",
    next: "Ask for a coarser granularity, a shorter window, more filters or fewer fields",
    hints: reads,
    forLink: analytics.link,
    narrowed: {
      period: z.enum(["7d", "30d", "1y"], "must be one of 7d, 30d, 1y").optional(),
    },
    words: {
      from: "Start instead of period, such as 2026-11-01",
      domain: "Such as go.example.com",
      fields: "Such as [referrers]",
    },
    usual: {
      ...inFull("locked", "period", "granularity", "timezone", "from", "to", "clicks", "visitors", "bots"),
      ...inFull("previous", "change", "link", "timeseries"),
      countries: 5,
      devices: 3,
      browsers: 3,
      os: 3,
      referrers: 5,
      top_links: 3,
      variants: null,
      groups: 20,
      other_groups: null,
    },
    text: reportLine,
  }),
  get_link_stats_by_period: tool(analytics.dailyStats, {
    title: "Get daily clicks of a link",
    description:
      "Returns daily clicks and visitors of a link from one date to another, zeros included, at most 366 days. Use it when the user names dates or wants days. Filters as in get_analytics.",
    omitted: ["link_id", "tag", "domain"],
    next: "Ask for the remaining days with a later from",
    hints: reads,
    list: "days",
    text: daysLine,
  }),
  generate_qr: tool(links.qr, {
    title: "Generate a QR code",
    description:
      "Makes the QR code of a link: a PNG to look at and, in body, an SVG to save. Use it for print, slides and signs. Colours need strong contrast.",
    words: {
      size: "Pixels of the SVG, such as 600",
      margin: "Border in modules, such as 4",
      color: "Such as #036",
      background: "Such as #fff",
      level: "Error correction",
      dots: "Shape of the modules",
      eyes: "Shape of the corners",
      logo: "Shows the account's logo",
    },
    file: "body",
    next: "The SVG of shaped dots or with a logo is too long for a conversation: GET /v1/links/{id}/qr of the REST API has it",
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
      "Lists buckets, newest first: link-in-bio pages with up to ten links behind one short URL. Use it when the user asks about pages.",
    words: { fields: "Such as [name]" },
    next: byPages,
    hints: reads,
    list: "buckets",
    usual: { id: null, slug: null, shortUrl: null, name: 40, links: null },
    text: ({ data, meta }) => [pageLine(meta, "bucket"), ...data.map(bucketLine)].join("\n"),
  }),
  create_bucket: tool(buckets.create, {
    title: "Create a bucket",
    description:
      "Makes a link-in-bio page: one short URL that shows up to ten links in the given order. Use it when links belong together.",
    words: bucketWords,
    next: "list_buckets with fields has the rest",
    hints: creates,
    text: (bucket) => `Created ${bucketLine(bucket)}`,
  }),
} satisfies Record<string, Tool>;
