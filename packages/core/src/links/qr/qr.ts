import * as z from "zod";
import { oneOf, whole } from "../../validation/inputs.ts";
import { smallFile } from "../../validation/files.ts";
import { AppError } from "../../kernel/errors.ts";
import { accountProcedure } from "../../rpc/procedure.ts";
import { findLink } from "../find.ts";
import { toLink } from "../link.view.ts";
import { hexColor, isReadable, minContrast, normalizeColor } from "./colors.ts";
import { maxShapedPng, qrDefaults, qrDots, qrEyes, qrLevels, qrMargins, qrSizes } from "./limits.ts";
import { drawnPerMinute, drawPng } from "./draw.ts";
import { readLogo } from "./logo.ts";
import { isPlainLook, qrSvg } from "./svg.ts";

const color = z
  .string()
  .regex(hexColor, "must be a colour as #rgb or #rrggbb (in a URL: %23rrggbb, or rrggbb)");

const fields = z
  .object({
    id: z.string(),
    format: oneOf(["svg", "png"]).default("svg").describe("Kind of image"),
    size: whole(qrSizes.min, qrSizes.max)
      .describe(
        "Width and height in pixels. Default: the smallest size from 256 with a whole number of pixels per module",
      )
      .optional(),
    margin: whole(qrMargins.min, qrMargins.max)
      .default(qrMargins.default)
      .describe("Quiet zone in modules; some scanners fail with less than 4"),
    color: color
      .meta({ description: "Colour of the modules", examples: ["#0f6b52", "036"] })
      .default(qrDefaults.color),
    background: color
      .meta({
        description: "Background colour; must be much lighter than color",
        examples: ["#fffefb", "ffe"],
      })
      .default(qrDefaults.background),
    level: oneOf(qrLevels)
      .default(qrDefaults.level)
      .describe("Error correction: 7, 15, 25 or 30 %; with a logo always H"),
    dots: oneOf(qrDots)
      .default(qrDefaults.dots)
      .describe("Shape of the modules: squares, squares whose free corners are round, or circles"),
    eyes: oneOf(qrEyes).default(qrDefaults.eyes).describe("Shape of the three finder patterns"),
    logo: z
      .boolean({ error: "must be true or false" })
      .default(false)
      .describe("Put the account's logo into the middle"),
  })
  .transform((input) => ({
    ...input,
    color: normalizeColor(input.color),
    background: normalizeColor(input.background),
  }))
  .refine((input) => isReadable(input.color, input.background), {
    path: ["color"],
    error: `must be darker than background, with a contrast of ${minContrast}:1 and half its lightness at most, or scanners miss it`,
  });

/** Returns the QR code of a link's short URL as SVG or PNG. */
export const qrOfLink = accountProcedure
  .meta({
    scope: "links:read",
    openapi: {
      method: "GET",
      path: "/v1/links/{id}/qr",
      tags: ["Links"],
      summary: "Get a link's QR code",
      description: `An image that scanners read as shortUrl, whatever the slug. A PNG with shapes or a logo at most ${drawnPerMinute} times a minute.`,
      successDescription: "The QR code",
      successContent: {
        "image/svg+xml": z.string(),
        "image/png": z.string().meta({ contentMediaType: "image/png" }),
      },
      errors: [404, 429],
    },
  })
  .input(fields)
  .output(smallFile)
  .query(async ({ ctx, input: { id, format, logo: hasLogo, ...options } }) => {
    const { slug, shortUrl } = await toLink(ctx, await findLink(ctx, id));
    const file = { file_name: `${slug}.${format}`, disposition: "inline" as const };
    const logo = hasLogo ? await readLogo(ctx.deps.pool, ctx.account.id) : null;
    if (hasLogo && logo === null) throw new AppError("BAD_REQUEST", noLogo);
    const look = { ...options, logo };
    if (format === "svg") return { ...file, content_type: "image/svg+xml", body: qrSvg(shortUrl, look) };
    if (!isPlainLook(look) && (options.size ?? 0) > maxShapedPng) throw new AppError("BAD_REQUEST", tooLarge);
    const image = await drawPng(ctx, shortUrl, look);
    if (image === null) throw new AppError("BAD_REQUEST", tooSmall);
    return {
      ...file,
      content_type: "image/png",
      encoding: "base64" as const,
      body: image.toString("base64"),
    };
  });

const tooSmall = "size: too small for this code as PNG; use a larger size, a smaller margin or format=svg";
const tooLarge = `size: must be at most ${maxShapedPng} for a PNG with dots, eyes or a logo; use format=svg for larger ones`;
const noLogo = "logo: the account has none; upload one with PUT /v1/me/qr-logo";
