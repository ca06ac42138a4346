/** Bits of a click's flags, of which the log keeps sixteen: a HEAD request, by a tool that checks the link. */
export const HEAD = 1;
/** A browser that loads ahead of a visit that may never come. */
export const PREFETCH = 2;
/** A picture or summary of the page, not the page, is what is shown. */
export const PREVIEW = 4;

/** `Sec-Purpose` is of the Fetch standard; the others are older ways of Chrome, Safari and Firefox to say the same. */
export const purposeHeaders = ["sec-purpose", "purpose", "x-purpose", "x-moz"] as const;

/**
 * What shows a request to be no person's click, as bits; 0 for a click. `get` takes a header's name in lower case.
 * Unfurlers of chats and networks send no such header; their user agents tell them.
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
