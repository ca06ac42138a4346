import { issue } from "../../kernel/issues.ts";
import { accountProcedure } from "../call.ts";
import * as z from "zod";
import { fieldsOf, noFields, oneOf, whole, withoutUndefined } from "../../kernel/validation/inputs.ts";
import { imageInput, smallFile } from "../../kernel/validation/files.ts";
import { AppError, refusal } from "../../kernel/errors.ts";
import { findLink, toLink } from "../link.row.ts";
import { isReadable } from "../colors.ts";
import { limitTable } from "../../rpc/limits/limits.ts";
import { areDecodable, drawPng } from "./draw.ts";
import { maxShapedPng, qrSizes } from "./limits.ts";
import { logoOf, readLogo } from "./logo.ts";
import { lookFields, lowContrast, plainLook } from "./qr.schema.ts";
import { isPlainLook, qrSvg } from "./svg.ts";
import { imageFile, maxImageBytes, wholeImage } from "../images/convert.ts";
import { limitCreations } from "../../rpc/procedure.ts";

const qrFields = z.object({
  id: z.string(),
  format: oneOf(["svg", "png"]).default("svg").describe("Format of the image"),
  size: whole(qrSizes.min, qrSizes.max)
    .describe(
      "Width and height in pixels. Default: the smallest size from 256 with a whole number of pixels per module",
    )
    .optional(),
  ...z.object(lookFields).partial().shape,
});

export const qrOfLink = accountProcedure
  .meta({
    scope: "links:read",
    route: "GET /v1/links/{id}/qr",
    tag: "Links",
    summary: "Get a link's QR code",
    description: `An image that scanners read as shortUrl, whatever the slug. Options missing from the query are taken from the link's \`qr\`, or else from a plain code. At most ${limitTable["qr-codes"].points} PNGs a minute can have shapes or a logo.`,
    successDescription: "The QR code",
    successContent: {
      "image/svg+xml": z.string(),
      "image/png": z.string().meta({ contentMediaType: "image/png" }),
    },
    errors: [404, 429],
  })
  .input(qrFields)
  .output(smallFile)
  .query(async ({ ctx, input: { id, format, size, ...asked } }) => {
    const link = await findLink(ctx, id);
    const { slug, shortUrl, qr } = await toLink(ctx, link);
    const wanted = { ...(qr ?? plainLook), ...withoutUndefined(asked) };
    if (!isReadable(wanted.color, wanted.background)) throw new AppError("BAD_REQUEST", lowContrast(wanted));
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

const tooSmall = issue(
  "size",
  "too_small",
  "too small for this code as PNG; use a larger size, a smaller margin or format=svg",
);
const tooLarge = issue(
  "size",
  "too_large",
  `must be at most ${maxShapedPng} for a PNG with dots, eyes or a logo; use format=svg for larger ones`,
  { max: maxShapedPng },
);
const noLogo = issue("logo", "not_found", "the account has none; upload one with PUT /v1/me/qr-logo", {
  resource: "logo",
});

/** Sharp in a code of 1,000 pixels, of which a logo takes less than a quarter. */
const logoSide = 192;
/** Slugs of codes of three sizes; the last one is as long as slugs get. */
const sampleSlugs = ["aB3dE7k", "summer-sale-2026-in-our-shop", "x".repeat(64)];

const logoSchema = z.object({
  width: z.int().describe("Pixels"),
  height: z.int().describe("Pixels"),
});

/** Sets the logo of an account's QR codes, if scanners read codes with it. Counts as one link creation. */
export const setLogo = accountProcedure
  .meta({
    scope: "links:write",
    route: "PUT /v1/me/qr-logo",
    tag: "Links",
    summary: "Set the logo of QR codes",
    description: `Takes a PNG, JPEG or WebP image of at most ${maxImageBytes / 1e6} MB and 16 million pixels as the body, and stores it with its proportions, at most ${logoSide} pixels wide and high. Refused (400) if scanners cannot read codes with it. QR codes show it with \`logo=true\`.`,
    file: imageFile,
    successDescription: "The size of the stored logo",
    errors: [429],
  })
  .use(limitCreations)
  .input(fieldsOf({ image: imageInput(maxImageBytes) }))
  .output(logoSchema)
  .mutation(async ({ ctx, input: { image } }) => {
    const { deps, account } = ctx;
    ctx.charge();
    const logo = await logoOf(await wholeImage(ctx, image, logoSide));
    const samples = sampleSlugs.map((slug) => deps.shortHost.urlOf(slug));
    if (!(await areDecodable(account.id, samples, logo)))
      throw refusal(
        "BAD_REQUEST",
        "image",
        "invalid_image",
        "scanners cannot read codes with it, because it looks too much like a code",
        {
          reason: "unscannable",
        },
      );
    await deps.storage.reserve(ctx.actor, { links: 0, bytes: logo.png.length }, () =>
      deps.pool.query(
        `insert into qr_logos (account_id, image) values ($1, $2)
         on conflict (account_id) do update set image = excluded.image`,
        [account.id, logo.png],
      ),
    );
    return { width: logo.width, height: logo.height };
  });

export const getLogo = accountProcedure
  .meta({
    scope: "links:read",
    route: "GET /v1/me/qr-logo",
    tag: "Links",
    summary: "Get the logo of QR codes",
    description: "The stored image.",
    successDescription: "The logo, or null",
  })
  .input(noFields)
  .output(
    z.object({
      logo: logoSchema
        .extend({
          png: z.string().meta({ description: "The image as PNG, in Base64", examples: ["iVBORw0KGgo="] }),
        })
        .nullable()
        .describe("Null if the account has none"),
    }),
  )
  .query(async ({ ctx: { deps, account } }) => {
    const logo = await readLogo(deps.pool, account.id);
    if (logo === null) return { logo };
    const { width, height, png } = logo;
    return { logo: { width, height, png: png.toString("base64") } };
  });

/** Deletes the logo of the account's QR codes. Codes that were printed with it stay as they are. */
export const deleteLogo = accountProcedure
  .meta({
    scope: "links:write",
    route: "DELETE /v1/me/qr-logo",
    tag: "Links",
    summary: "Delete the logo of QR codes",
    description: "QR codes can no longer show it. Succeeds if there is none.",
    successDescription: "The logo is deleted",
  })
  .input(noFields)
  .output(z.object({ deleted: z.literal(true) }))
  .mutation(async ({ ctx: { deps, account } }) => {
    await deps.pool.query("delete from qr_logos where account_id = $1", [account.id]);
    return { deleted: true as const };
  });
