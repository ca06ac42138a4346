/** What texts of links, files and people mean; pure. */

/** A percent-encoded text decoded; as it is if a percent sign in it encodes nothing. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** What people write as a URL without its scheme, such as `www.example.org/x` or `example.com`. */
const bare =
  /^(?![\d.]*$)[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)*\.[\p{L}\p{N}][\p{L}\p{N}-]+\.?(?::\d{1,5})?(?:[/?#]\S*)?$/u;

/** The URL that a text is, with `https://` if it has no scheme; null if it is neither a URL nor a host with a dot. */
export function withHttps(text: string): string | null {
  const trimmed = text.trim();
  if (/^https?:\/\//i.test(trimmed)) return trimmed;
  return bare.test(trimmed) ? `https://${trimmed}` : null;
}

/** What stands in the place of a password that is not shown, or not known. It is too short to be one. */
export const hidden = "***";
