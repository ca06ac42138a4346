/** Bits of a click's flags, of which the log stores sixteen. A HEAD request: a tool that checks the link. */
export const HEAD = 1;
/** A browser that loads the page before a visit, which may never happen. */
export const PREFETCH = 2;
/** The page is loaded for a preview only. */
export const PREVIEW = 4;
/** An imported click that the service it comes from took for a bot's. */
export const REPORTED = 8;

/** `Sec-Purpose` is from the Fetch standard; the others are its predecessors in Chrome, Safari and Firefox. */
export const purposeHeaders = ["sec-purpose", "purpose", "x-purpose", "x-moz"] as const;

/**
 * Returns the signs that a request is not a person's click, as bits; 0 for a click. `get` takes a header's name in lower
 * case. Link previews of chats and social networks send no such header; they are detected by user agent.
 */
export function requestFlags(method: string, get: (name: string) => string | undefined): number {
  let flags = method === "HEAD" ? HEAD : 0;
  for (const name of purposeHeaders) {
    const purpose = get(name);
    if (!purpose) continue;
    if (/\bpre(?:fetch|render)\b/i.test(purpose)) flags |= PREFETCH;
    if (/\bpreview\b/i.test(purpose)) flags |= PREVIEW;
  }
  return flags;
}
