/** Adds the scheme that people leave out. */
export function withScheme(text: string): string {
  const trimmed = text.trim();
  return trimmed === "" || /^[a-z][a-z0-9+.-]*:(?!\d)/i.test(trimmed) ? trimmed : `https://${trimmed}`;
}

/** Mistakes in the first characters of a URL: pure rules. */

/** What can be taken for a scheme and its separator, such as "htps://", "https:/" or "http//". */
const beginning = /^([a-z]{3,7})([:;,.]*)(\/*)(?=[^/\s])/i;

/** The URL that was probably meant, or null if nothing looks like a mistake. */
export function correctedUrl(text: string): string | null {
  const url = text.trim();
  const [begin = "", letters = "", colon = "", slashes = ""] = beginning.exec(url) ?? [];
  const isSeparated = colon !== "" ? slashes !== "" : slashes.length > 1;
  if (!isSeparated) return null;
  const scheme = nearest(letters.toLowerCase());
  if (scheme === null) return null;
  const rest = url.slice(begin.length);
  // A URL that was pasted behind one that was there.
  const isDoubled = /^https?:?\/\//i.test(rest);
  if (isDoubled) return correctedUrl(rest) ?? rest;
  return begin.toLowerCase() === `${scheme}://` ? null : `${scheme}://${rest}`;
}

function nearest(letters: string): "http" | "https" | null {
  if (letters === "http" || letters === "https") return letters;
  if (distance(letters, "https") <= (letters.endsWith("s") ? 2 : 1)) return "https";
  return distance(letters, "http") <= 1 ? "http" : null;
}

/** Letters to add, drop, replace or swap with their neighbour (optimal string alignment). */
function distance(one: string, other: string): number {
  const rows = Array.from({ length: one.length + 1 }, (_, i) => [i]);
  const at = (i: number, j: number) => rows[i]?.[j] ?? 0;
  for (let j = 1; j <= other.length; j++) {
    (rows[0] as number[])[j] = j;
    for (let i = 1; i <= one.length; i++) {
      const isSame = one[i - 1] === other[j - 1];
      const isSwapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      (rows[i] as number[])[j] = Math.min(
        at(i - 1, j) + 1,
        at(i, j - 1) + 1,
        at(i - 1, j - 1) + (isSame ? 0 : 1),
        isSwapped ? at(i - 2, j - 2) + 1 : Infinity,
      );
    }
  }
  return at(one.length, other.length);
}
