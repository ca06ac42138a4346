import { accountProcedure } from "../call.ts";
import * as z from "zod";
import { noFields } from "../../kernel/validation/inputs.ts";
import { readLogo } from "./logo.ts";
import { logoSchema } from "./set-logo.ts";

export const getLogo = accountProcedure
  .meta({
    scope: "links:read",
    openapi: {
      method: "GET",
      path: "/v1/me/qr-logo",
      tags: ["Links"],
      summary: "Get the logo of QR codes",
      description: "The image as it is stored.",
      successDescription: "The logo, or null",
    },
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
