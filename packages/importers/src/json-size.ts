/** Whether a JSON text is small enough to be parsed; pure. */

/** Levels of a JSON text; exports have at most about five */
const maxDepth = 64;
/** Objects, lists, and commas between their members: 100,000 links with 20 members each */
const maxValues = 2_000_000;

/**
 * Why a JSON text must not be parsed; null if it may be. It looks at each character once, because what a parser takes for deep or many
 * values is beyond the limit of its thread, and can end the process.
 */
export function excessOfJson(text: string): string | null {
  let depth = 0;
  let values = 0;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case 0x22: // a string, to its end
        for (at++; at < text.length && text.charCodeAt(at) !== 0x22; at++)
          if (text.charCodeAt(at) === 0x5c) at++;
        break;
      case 0x7b: // { and [
      case 0x5b:
        depth += 1;
        values += 1;
        if (depth > maxDepth) return `has more than ${maxDepth} levels of lists and objects`;
        break;
      case 0x7d: // } and ]
      case 0x5d:
        depth -= 1;
        break;
      case 0x2c:
        values += 1;
        break;
    }
    if (values > maxValues)
      return `has more than ${maxValues.toLocaleString("en")} values; send it in smaller parts`;
  }
  return null;
}
