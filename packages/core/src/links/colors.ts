/** The colours that scanners can distinguish: pure rules. */

/** `#rgb` or `#rrggbb`; the `#`, which a query string has to encode as `%23`, is optional. */
export const hexColor = /^#?(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/;

/** Returns the colour as `#rrggbb`, in lower case. */
export function normalizeColor(color: string): string {
  const digits = color.replace("#", "").toLowerCase();
  return `#${digits.length === 3 ? digits.replaceAll(/./g, "$&$&") : digits}`;
}

/** Returns the weighted sum of the channels of a colour as `#rrggbb`, each from 0 to 1. */
function lightnessOf(color: string, toLight: (channel: number) => number = (channel) => channel): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) =>
    toLight(Number.parseInt(color.slice(at, at + 2), 16) / 255),
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Relative luminance, from 0 (black) to 1 (white), of a colour as `#rrggbb` (WCAG 2.2). */
const luminanceOf = (color: string): number =>
  lightnessOf(color, (channel) =>
    channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4,
  );

/** The minimum contrast at which scanners read a code; the same as for text in WCAG. */
export const minContrast = 4.5;

/**
 * True if scanners can distinguish modules of this colour from this background, both as `#rrggbb`. They compare each
 * camera pixel with half of the lightness around it, which is about 4:1 in WCAG's terms but more on a bright green or
 * yellow; many cannot read light modules on a dark background at all.
 */
export const isReadable = (color: string, background: string): boolean =>
  contrastOf(color, background) >= minContrast && lightnessOf(background) >= 2.1 * lightnessOf(color);

/** The contrast ratio of WCAG 2.2, from 1 to 21; below 1 where the modules are lighter than the background. */
export const contrastOf = (color: string, background: string): number =>
  (luminanceOf(background) + 0.05) / (luminanceOf(color) + 0.05);

/** How a bucket's accent colour is made readable: pure rules, which the console applies too. Colours are `#rrggbb`. */

const contrast = (left: string, right: string): number => {
  const ratio = contrastOf(left, right);
  return ratio < 1 ? 1 / ratio : ratio;
};

/** Black or white, whichever reads better on the colour; the better one always reaches 4.5:1. */
export const inkOn = (color: string): string =>
  contrast("#000000", color) >= contrast("#ffffff", color) ? "#000000" : "#ffffff";

/** The colour, darkened or lightened just as far as text on the ground needs it (4.5:1, WCAG 2.2 criterion 1.4.3). */
export function readableOn(color: string, ground: string): string {
  const target = inkOn(ground);
  for (let share = 0; share < 1; share += 0.02) {
    const mixed = mix(color, target, share);
    if (contrast(mixed, ground) >= minContrast) return mixed;
  }
  return target;
}

/** True if text in this colour can be read on the ground as it is. */
export const isReadableOn = (color: string, ground: string): boolean =>
  contrast(color, ground) >= minContrast;

function mix(color: string, target: string, share: number): string {
  const channels = [1, 3, 5].map((at) => {
    const [from, to] = [color, target].map((each) => Number.parseInt(each.slice(at, at + 2), 16));
    return Math.round((from as number) * (1 - share) + (to as number) * share)
      .toString(16)
      .padStart(2, "0");
  });
  return `#${channels.join("")}`;
}
