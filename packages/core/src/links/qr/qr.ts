import * as z from "zod";
import { oneOf, whole } from "../../validation/inputs.ts";
import { smallFile } from "../../validation/files.ts";
import { AppError } from "../../kernel/errors.ts";
import { accountProcedure } from "../../rpc/procedure.ts";
import { findLink } from "../find.ts";
import { toLink } from "../link.view.ts";
import { hexColor, isReadable, minContrast, normalizeColor } from "./colors.ts";
import { qrDefaults, qrLevels, qrMargins, qrSizes } from "./limits.ts";
import { qrPng } from "./png.ts";
import { qrSvg } from "./svg.ts";

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
    level: oneOf(qrLevels).default(qrDefaults.level).describe("Error correction: 7, 15, 25 or 30 %"),
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
      description: "An image that scanners read as shortUrl, whatever the slug.",
      successDescription: "The QR code",
      successContent: {
        "image/svg+xml": z.string(),
        "image/png": z.string().meta({ contentMediaType: "image/png" }),
      },
      errors: [404],
    },
  })
  .input(fields)
  .output(smallFile)
  .query(async ({ ctx, input: { id, format, ...options } }) => {
    const { slug, shortUrl } = await toLink(ctx, await findLink(ctx, id));
    const file = { file_name: `${slug}.${format}`, disposition: "inline" as const };
    if (format === "svg") {
      return { ...file, content_type: "image/svg+xml", body: qrSvg(shortUrl, options) };
    }
    const image = qrPng(shortUrl, options);
    if (image === null) throw new AppError("BAD_REQUEST", tooSmall);
    return {
      ...file,
      content_type: "image/png",
      encoding: "base64" as const,
      body: image.toString("base64"),
    };
  });

const tooSmall = "size: too small for this code as PNG; use a larger size, a smaller margin or format=svg";
