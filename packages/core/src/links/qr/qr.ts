import * as z from "zod";
import { oneOf, whole } from "../../validation/inputs.ts";
import { textFile } from "../../validation/files.ts";
import { accountProcedure } from "../../rpc/procedure.ts";
import { findLink } from "../find.ts";
import { toLink } from "../link.view.ts";
import { hexColor, isReadable, minContrast, normalizeColor } from "./colors.ts";
import { qrSvg } from "./svg.ts";

const color = z
  .string()
  .regex(hexColor, "must be a colour as #rgb or #rrggbb (in a URL: %23rrggbb, or rrggbb)");

const fields = z
  .object({
    id: z.string(),
    size: whole(32, 4096)
      .describe(
        "Width and height in pixels. Default: the smallest size from 256 with a whole number of pixels per module",
      )
      .optional(),
    margin: whole(0, 32).default(4).describe("Quiet zone in modules; some scanners fail with less than 4"),
    color: color
      .meta({ description: "Colour of the modules", examples: ["#0f6b52", "036"] })
      .default("#000000"),
    background: color
      .meta({
        description: "Background colour; must be much lighter than color",
        examples: ["#fffefb", "ffe"],
      })
      .default("#ffffff"),
    level: oneOf(["L", "M", "Q", "H"]).default("M").describe("Error correction: 7, 15, 25 or 30 %"),
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

/** Returns the QR code of a link's short URL as SVG. */
export const qrOfLink = accountProcedure
  .meta({
    scope: "links:read",
    openapi: {
      method: "GET",
      path: "/v1/links/{id}/qr",
      tags: ["Links"],
      summary: "Get a link's QR code",
      description: "An SVG image that scanners read as shortUrl, whatever the slug.",
      successDescription: "The QR code",
      successContent: { "image/svg+xml": z.string() },
      errors: [404],
    },
  })
  .input(fields)
  .output(textFile)
  .query(async ({ ctx, input: { id, ...options } }) => {
    const { slug, shortUrl } = await toLink(ctx, await findLink(ctx, id));
    return {
      content_type: "image/svg+xml",
      file_name: `${slug}.svg`,
      disposition: "inline" as const,
      body: qrSvg(shortUrl, options),
    };
  });
