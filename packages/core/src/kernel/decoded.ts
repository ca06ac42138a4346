/** A percent-encoded text decoded; as it is if a percent sign in it encodes nothing. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
