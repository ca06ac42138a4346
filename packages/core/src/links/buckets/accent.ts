import { contrastOf, minContrast } from "../qr/colors.ts";

/** How a bucket's accent colour is made readable: pure rules, which the console applies too. Colours are `#rrggbb`. */

const contrast = (one: string, other: string): number => {
  const ratio = contrastOf(one, other);
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

function mix(color: string, other: string, share: number): string {
  const channels = [1, 3, 5].map((at) => {
    const [from, to] = [color, other].map((each) => Number.parseInt(each.slice(at, at + 2), 16));
    return Math.round((from as number) * (1 - share) + (to as number) * share)
      .toString(16)
      .padStart(2, "0");
  });
  return `#${channels.join("")}`;
}
