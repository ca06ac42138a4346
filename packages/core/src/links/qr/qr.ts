import { accountProcedure } from "../call.ts";
import * as z from "zod";
import { oneOf, whole } from "../../kernel/validation/inputs.ts";
import { smallFile } from "../../kernel/validation/files.ts";
import { AppError } from "../../kernel/errors.ts";
import { findLink } from "../find.ts";
import { toLink } from "../link.view.ts";
import { isReadable } from "./colors.ts";
import { limitTable } from "../../rpc/limits/limits.ts";
import { drawPng } from "./draw.ts";
import { maxShapedPng, qrSizes } from "./limits.ts";
import { readLogo } from "./logo.ts";
import { lookFields, plainLook, type QrLook, unreadable } from "./look.ts";
import { isPlainLook, qrSvg } from "./svg.ts";

const fields = z.object({
  id: z.string(),
  format: oneOf(["svg", "png"]).default("svg").describe("Kind of image"),
  size: whole(qrSizes.min, qrSizes.max)
    .describe(
      "Width and height in pixels. Default: the smallest size from 256 with a whole number of pixels per module",
    )
    .optional(),
  margin: lookFields.margin.optional(),
  color: lookFields.color.optional(),
  background: lookFields.background.optional(),
  level: lookFields.level.optional(),
  dots: lookFields.dots.optional(),
  eyes: lookFields.eyes.optional(),
  logo: lookFields.logo.optional(),
});

export const qrOfLink = accountProcedure
  .meta({
    scope: "links:read",
    openapi: {
      method: "GET",
      path: "/v1/links/{id}/qr",
      tags: ["Links"],
      summary: "Get a link's QR code",
      description: `An image that scanners read as shortUrl, whatever the slug. What the query does not say is as in the link's \`qr\`, or as in a plain code. A PNG with shapes or a logo at most ${limitTable["qr-codes"].points} times a minute.`,
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
  .query(async ({ ctx, input: { id, format, size, ...asked } }) => {
    const link = await findLink(ctx, id);
    const { slug, shortUrl, qr } = await toLink(ctx, link);
    const own = qr ?? plainLook;
    const wanted: QrLook = {
      color: asked.color ?? own.color,
      background: asked.background ?? own.background,
      dots: asked.dots ?? own.dots,
      eyes: asked.eyes ?? own.eyes,
      margin: asked.margin ?? own.margin,
      level: asked.level ?? own.level,
      logo: asked.logo ?? own.logo,
    };
    if (!isReadable(wanted.color, wanted.background))
      throw new AppError("BAD_REQUEST", `color: ${unreadable}`);
    const file = { file_name: `${slug}.${format}`, disposition: "inline" as const };
    const logo = wanted.logo ? await readLogo(ctx.deps.pool, ctx.account.id) : null;
    // The logo of a stored look may have been removed since.
    if (asked.logo && logo === null) throw new AppError("BAD_REQUEST", noLogo);
    const look = { ...wanted, size, logo };
    if (format === "svg") return { ...file, content_type: "image/svg+xml", body: qrSvg(shortUrl, look) };
    if (!isPlainLook(look) && (size ?? 0) > maxShapedPng) throw new AppError("BAD_REQUEST", tooLarge);
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
