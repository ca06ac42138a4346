import { type Issue, issue } from "../../kernel/issues.ts";
import { asRefused } from "../../kernel/validation/issues.ts";
import { textLike } from "../../kernel/validation/strings.ts";
import * as z from "zod";
import { fieldsOf, oneOf, whole } from "../../kernel/validation/inputs.ts";
import { contrastOf, hexColor, isReadable, minContrast, normalizeColor } from "../colors.ts";
import { qrDefaults, qrDots, qrEyes, qrLevels, qrMargins } from "./limits.ts";

const color = (description: string, examples: string[]) =>
  textLike(
    hexColor,
    "color",
    "must be a colour as #rgb or #rrggbb (in a URL: %23rrggbb, or rrggbb)",
    "#0f6b52",
  )
    .meta({ description, examples })
    .transform(normalizeColor);

/** The parts of a style, none of which has a default. */
export const lookFields = {
  margin: whole(qrMargins.min, qrMargins.max).describe(
    "Quiet zone in modules; some scanners fail with less than 4",
  ),
  color: color("Colour of the modules", ["#0f6b52", "036"]),
  background: color("Background colour; must be much lighter than color", ["#fffefb", "ffe"]),
  level: oneOf(qrLevels).describe("Error correction: 7, 15, 25 or 30 %; with a logo always H"),
  dots: oneOf(qrDots).describe(
    "Shape of the modules: squares, squares whose free corners are round, or circles",
  ),
  eyes: oneOf(qrEyes).describe("Shape of the three finder patterns"),
  logo: z.boolean({ error: "must be true or false" }).describe("Puts the account's logo in the middle"),
};

/** A style with nothing set. */
export const plainLook: QrLook = { ...qrDefaults, margin: qrMargins.default, logo: false };

const unreadable = `must be darker than background, with a contrast of ${minContrast}:1 and at most half its lightness, or scanners miss it`;

/** Why scanners would miss a code in these colours. */
export const lowContrast = ({ color: modules, background }: { color: string; background: string }): Issue =>
  issue("color", "low_contrast", unreadable, {
    contrast: Math.floor(contrastOf(modules, background) * 10) / 10,
    min: minContrast,
  });

/** The style of a link's code as clients send it; parts that are left out are as in a plain code. */
export const lookInput = fieldsOf({
  color: lookFields.color.default(plainLook.color),
  background: lookFields.background.default(plainLook.background),
  dots: lookFields.dots.default(plainLook.dots),
  eyes: lookFields.eyes.default(plainLook.eyes),
  margin: lookFields.margin.default(plainLook.margin),
  level: lookFields.level.default(plainLook.level),
  logo: lookFields.logo.default(plainLook.logo),
})
  .superRefine((look, ctx) => {
    if (isReadable(look.color, look.background)) return;
    const { path, ...said } = lowContrast(look);
    ctx.addIssue({ ...asRefused(said), path: [...path] });
  })
  .describe("Style of the link's QR code; what is left out is as in a plain code");

export const lookOutput = z.object({
  color: z.string().meta({ description: "Colour of the modules", examples: ["#0f6b52"] }),
  background: z.string().meta({ description: "Background colour", examples: ["#fffefb"] }),
  dots: z.enum(qrDots).describe("Shape of the modules"),
  eyes: z.enum(qrEyes).describe("Shape of the three finder patterns"),
  margin: z.int().describe("Quiet zone in modules"),
  level: z.enum(qrLevels).describe("Error correction: 7, 15, 25 or 30 %"),
  logo: z.boolean().describe("Whether to show the account's logo, if it has one, in the middle"),
});

/** The style of a QR code, as stored with a link. */
export interface QrLook extends z.infer<typeof lookOutput> {}
