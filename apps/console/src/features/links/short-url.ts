import { client } from "../../kit/api/api.ts";

/** Whether a text may be a short URL, with or without its scheme. */
export const mayBeShortUrl = (text: string): boolean => /^\s*(?:https?:\/\/)?[^\s/?#]+\/\S+\s*$/i.test(text);

/** A URL without its scheme, and as slugs are compared. */
function plain(url: string): string {
  const text = url
    .trim()
    .replace(/^https?:\/\//i, "")
    .replace(/^[^/]*/, (host) => host.toLowerCase());
  try {
    return decodeURIComponent(text).normalize("NFC").replaceAll("\uFE0F", "");
  } catch {
    return text;
  }
}

/** Whether a text is a short URL, alone or followed by characters that no slug has. */
export function isShortUrlOf(shortUrl: string, text: string): boolean {
  const [known, given] = [plain(shortUrl), plain(text)];
  return given.startsWith(known) && !/^[\p{L}\p{M}\p{N}_-]/u.test(given.slice(known.length));
}

/** The id of the link that has this short URL; null for any other text, and if the service does not answer. */
export async function linkOfShortUrl(text: string): Promise<string | null> {
  if (!mayBeShortUrl(text)) return null;
  const found = await client.links.list.query({ search: text.trim(), limit: 20 }).catch(() => null);
  return found?.data.find(({ shortUrl }) => isShortUrlOf(shortUrl, text))?.id ?? null;
}
