import { accountProcedure } from "../call.ts";
import * as z from "zod";
import { maxImageBytes, wholeImage } from "../images/convert.ts";
import { AppError } from "../../kernel/errors.ts";
import { creation } from "../../rpc/procedure.ts";
import { imageInput } from "../../kernel/validation/files.ts";
import { fieldsOf } from "../../kernel/validation/inputs.ts";
import { areDecodable } from "./draw.ts";
import { logoOf } from "./logo.ts";

/** Sharp in a code of 1,000 pixels, of which a logo takes less than a quarter. */
const side = 192;
/** Slugs of codes of three sizes; the last one is as long as slugs get. */
const sampleSlugs = ["aB3dE7k", "summer-sale-2026-in-our-shop", "x".repeat(64)];

export const logoSchema = z.object({
  width: z.int().describe("Pixels"),
  height: z.int().describe("Pixels"),
});

/** Sets the logo of an account's QR codes, if scanners read codes with it. Counts as one link creation. */
export const setLogo = accountProcedure
  .meta({
    scope: "links:write",
    openapi: {
      method: "PUT",
      path: "/v1/me/qr-logo",
      tags: ["Links"],
      summary: "Set the logo of QR codes",
      description: `Takes a PNG, JPEG or WebP image of at most ${maxImageBytes / 1e6} MB and 16 million pixels as the body, and stores it in its own shape, at most ${side} pixels wide and high. Refused (400) if a scanner does not read codes with it. QR codes have it with \`logo=true\`.`,
      file: { types: ["image/png", "image/jpeg", "image/webp"], field: "image", maxBytes: maxImageBytes },
      successDescription: "The size of the logo as it is stored",
      errors: [429],
    },
  })
  .use(creation)
  .input(fieldsOf({ image: imageInput(maxImageBytes) }))
  .output(logoSchema)
  .mutation(async ({ ctx, input: { image } }) => {
    const { deps, account } = ctx;
    ctx.charge();
    const logo = await logoOf(await wholeImage(ctx, image, side));
    const samples = sampleSlugs.map((slug) => deps.shortHost.urlOf(slug));
    if (!(await areDecodable(account.id, samples, logo)))
      throw new AppError(
        "BAD_REQUEST",
        "image: scanners do not read codes with it; it looks too much like a code",
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
