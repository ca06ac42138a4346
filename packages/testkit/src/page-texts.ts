/** What a person can read on a page: its texts, and those in attributes that are read aloud or shown. */
export function textsOf(page: string): Set<string> {
  const body = page.replaceAll(/<style>.*?<\/style>/gs, "");
  const texts = body.matchAll(/>([^<>]+)(?=<)|\s(?:aria-label|placeholder|title|alt)="([^"]+)"/g);
  return new Set(
    Array.from(texts, ([, text = "", attribute = ""]) => (text || attribute).trim()).filter((text) =>
      /\p{L}/u.test(text),
    ),
  );
}

/** Texts that two pages share; in two languages of one page, these are untranslated. */
export const sharedTexts = (page: string, other: string): string[] => {
  const others = textsOf(other);
  return [...textsOf(page)].filter((text) => others.has(text));
};
