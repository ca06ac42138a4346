import type { RawClick } from "@terse/core";

/** Draws ranks 0 … count-1 by Zipf's law with exponent 1, like visits to short links. `random` as `Math.random`. */
export function zipf(count: number, random: () => number = Math.random): () => number {
  const cumulative: number[] = [];
  let total = 0;
  for (let rank = 1; rank <= count; rank++) cumulative.push((total += 1 / rank));
  return () => {
    const draw = random() * total;
    let low = 0;
    let high = count - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((cumulative[middle] ?? 0) < draw) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}

const platforms = [
  "Windows NT 10.0; Win64; x64",
  "Macintosh; Intel Mac OS X 10_15_7",
  "X11; Linux x86_64",
  "Linux; Android 15; Pixel 9",
  "Linux; Android 14; SM-S921B",
];
/** User agents; every twentieth is a crawler. */
export const agents = Array.from({ length: 2000 }, (_, at) =>
  at % 20 === 0
    ? `Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html; v${at})`
    : `Mozilla/5.0 (${platforms[at % platforms.length]}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${100 + (at % 41)}.0.${at}.0 Safari/537.36`,
);
const referrers = Array.from({ length: 1000 }, (_, at) => `https://site-${at}.example/page?id=${at}`);

const pick = <T>(items: readonly T[]): T => items[Math.floor(Math.random() * items.length)] as T;
const byte = () => Math.floor(Math.random() * 254) + 1;

/** Generates typical visits: many browsers, referrers and addresses, and a few crawlers. */
export function createTraffic(linkIds: readonly string[]): (time: number) => RawClick {
  const rank = zipf(linkIds.length);
  const referrer = zipf(referrers.length);
  return (time) => ({
    link_id: linkIds[rank()] as string,
    time,
    address: `${byte()}.${byte()}.${byte()}.${byte()}`,
    user_agent: pick(agents),
    referrer: Math.random() < 0.4 ? "" : (referrers[referrer()] as string),
    country: "",
    flags: 0,
    variant: -1,
  });
}
