/** Which colours scanners can tell apart: pure rules. */

/** `#rgb` or `#rrggbb`; the `#`, which a query string would have to spell `%23`, may be left out. */
export const hexColor = /^#?(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/;

/** The same colour as `#rrggbb`, in lower case. */
export function normalizeColor(color: string): string {
  const digits = color.replace("#", "").toLowerCase();
  return `#${digits.length === 3 ? digits.replaceAll(/./g, "$&$&") : digits}`;
}

/** Relative luminance, from 0 (black) to 1 (white), of a colour as `#rrggbb` (WCAG 2.2). */
export function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/**
 * The least contrast at which scanners read a code, as WCAG has it for text. They compare pixels with half of the
 * lightness around them, which is some 4:1 in these terms; many cannot read light modules on a dark ground at all.
 */
export const leastContrast = 4.5;

/** The contrast ratio of WCAG 2.2, from 1 to 21; below 1 where the modules are lighter than the background. */
export const contrastOf = (color: string, background: string): number =>
  (luminanceOf(background) + 0.05) / (luminanceOf(color) + 0.05);
