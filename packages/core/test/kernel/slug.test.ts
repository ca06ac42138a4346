import { createCipheriv } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { generateSlug, parseSlug, withoutGlued } from "../../src/kernel/slug.ts";

const refused = (slug: string) => {
  const result = parseSlug(slug);
  return result.ok ? undefined : result.reason.message;
};
const charactersOnly =
  /^may have letters, digits, emoji, "-" and "_" only, not (".+"|a space|U\+[0-9A-F]{4,6})/;

describe("generated slugs", () => {
  // Pseudo-random bytes that are the same in every run: whether a slug repeats must not depend on chance.
  const stream = createCipheriv("aes-128-ctr", Buffer.alloc(16), Buffer.alloc(16));
  const slugs = Array.from({ length: 20_000 }, () =>
    generateSlug((size) => stream.update(Buffer.alloc(size))),
  );

  it("have seven characters without look-alikes", () => {
    const lookAlikes = /[01oOliI]/;
    for (const slug of slugs) {
      expect(slug).toMatch(/^[2-9a-zA-Z]{7}$/);
      expect(slug).not.toMatch(lookAlikes);
    }
  });

  it("are valid custom slugs, and so never a reserved name", () => {
    for (const slug of slugs) expect(parseSlug(slug)).toEqual({ ok: true, slug });
  });

  it("do not repeat among ten thousand", () => {
    expect(new Set(slugs).size).toBe(slugs.length);
  });

  it("use all 55 characters equally often", () => {
    const counts = Object.values(Object.groupBy(slugs.join(""), (character) => character)).map(
      (all) => all?.length ?? 0,
    );
    const draws = slugs.length * 7;
    const sigma = Math.sqrt(draws * (1 / 55) * (54 / 55));
    expect(counts).toHaveLength(55);
    for (const count of counts) expect(Math.abs(count - draws / 55)).toBeLessThan(6 * sigma);
  });

  it("skip bytes that would make some characters more likely than others", () => {
    const bytes = [new Uint8Array(14).fill(255), new Uint8Array(14).fill(220), new Uint8Array(14).fill(219)];
    expect(generateSlug(() => bytes.shift() ?? new Uint8Array(14))).toBe("ZZZZZZZ");
  });
});

describe("custom slugs", () => {
  it.each([
    ["one character", "a"],
    ["64 characters", "a".repeat(64)],
    ["64 characters beyond the basic plane", "😀".repeat(64)],
    ["64 letters that decompose to more", "é".repeat(64)],
    ["digits", "2026"],
    ["hyphens and underscores", "-_-"],
    ["ASCII of both cases", "Launch-2026_b"],
    ["Latin with diacritics", "Größe-œuvre-łódź-Iğdır"],
    ["Greek", "Καλημέρα"],
    ["Cyrillic", "Привет-їжак"],
    ["Armenian", "բարեւ"],
    ["Georgian", "გამარჯობა"],
    ["Hebrew with points", "שָׁלוֹם"],
    ["Arabic with vowels", "مُحَمَّد"],
    ["Devanagari with signs", "नमस्ते-हिन्दी"],
    ["Bengali", "বাংলা"],
    ["Tamil", "தமிழ்"],
    ["Telugu", "తెలుగు"],
    ["Kannada", "ಕನ್ನಡ"],
    ["Malayalam", "മലയാളം"],
    ["Sinhala", "සිංහල"],
    ["Thai", "ภาษาไทย"],
    ["Tibetan", "བོད་".replace("་", "")],
    ["Myanmar", "မြန်မာ"],
    ["Khmer", "ខ្មែរ"],
    ["Ethiopic", "አማርኛ"],
    ["Chinese", "短链接"],
    ["Japanese", "ひらがなカタカナ漢字ー"],
    ["Korean", "한국어"],
    ["letters beyond the basic plane", "𠮷𐍈"],
    ["digits of other scripts", "١٢٣-०१२-๑๒"],
    ["emoji", "🚀🍕"],
    ["emoji among letters", "go🚀now"],
    ["a skin tone", "👍🏽"],
    ["a family joined by ZWJ", "👨‍👩‍👧‍👦"],
    ["a profession with a skin tone", "👩🏿‍🚀"],
    ["a gendered emoji with its variation selector", "🏋️‍♀️"],
    ["flags", "🇩🇪🇫🇷🇯🇵"],
    ["a flag joined by ZWJ", "🏳️‍🌈🏴‍☠️"],
    ["a flag of tags", "🏴󠁧󠁢󠁳󠁣󠁴󠁿"],
    ["keycaps", "1️⃣2️⃣#️⃣"],
    ["a symbol in its emoji form", "❤️"],
    ["Persian with a zero-width non-joiner", "می\u200Cخواهم"],
    ["Sinhala with a zero-width joiner", "ශ්\u200Dරී"],
    ["Hindi with joiners", "क्\u200Dष-क्\u200Cष"],
    ["Malayalam with an old chillu", "അവന്\u200D"],
    ["Bengali with a joiner before the virama", "র\u200D্যাব"],
    ["a name that begins like a reserved one", "health-check"],
  ])("may be %s", (_, slug) => {
    expect(parseSlug(slug)).toEqual({ ok: true, slug: slug.normalize("NFC") });
  });

  it("keep their case", () => {
    expect(parseSlug("AbC")).toEqual({ ok: true, slug: "AbC" });
    expect(parseSlug("abc")).toEqual({ ok: true, slug: "abc" });
  });

  it("are the same slug in every normalisation form", () => {
    expect(parseSlug("cafe\u0301")).toEqual({ ok: true, slug: "caf\u00E9" });
    expect(parseSlug("\u1112\u1161\u11AB")).toEqual({ ok: true, slug: "\uD55C" });
    expect(parseSlug("\u212B")).toEqual({ ok: true, slug: "\u00C5" });
  });

  it("are the same slug with and without U+FE0F", () => {
    for (const [one, other] of [
      ["❤", "❤\uFE0F"],
      ["go❤go", "go❤\uFE0Fgo"],
      ["🚀\uFE0F", "🚀"],
      ["1\u20E3", "1\uFE0F\u20E3"],
      ["🏳\u200D🌈", "🏳\uFE0F\u200D🌈"],
      ["☝🏽", "☝\uFE0F🏽"],
      ["👁\uFE0F\u200D🗨", "👁\u200D🗨\uFE0F"],
      ["❤\uFE0F".repeat(32), "❤".repeat(32)],
    ] as const) {
      expect(parseSlug(one).ok).toBe(true);
      expect(parseSlug(one)).toEqual(parseSlug(other));
    }
  });

  it("count characters after normalisation", () => {
    expect(parseSlug("e\u0301".repeat(64))).toEqual({ ok: true, slug: "\u00E9".repeat(64) });
    expect(refused("e\u0301".repeat(65))).toBe("must have at most 64 characters");
  });

  it.each([
    ["nothing", "", "must not be empty; leave it out to have one generated"],
    ["65 characters", "a".repeat(65), "must have at most 64 characters"],
    ["65 emoji", "😀".repeat(65), "must have at most 64 characters"],
    ["a megabyte", "a".repeat(1_000_000), "must have at most 64 characters"],
  ])("must not be %s", (_, slug, reason) => {
    expect(refused(slug)).toBe(reason);
  });

  it.each(["robots.txt", "favicon.ico", ".well-known", "health", "v1", "mcp", "api", "auth", "trpc"])(
    "refuse the reserved name %s in any case",
    (name) => {
      expect(refused(name)).toBe("is reserved; choose another one");
      expect(refused(name.toUpperCase())).toBe("is reserved; choose another one");
    },
  );

  it.each([
    ["a space", "a b"],
    ["a leading space", " a"],
    ["a trailing space", "a "],
    ["a tab", "a\tb"],
    ["a line break", "a\nb"],
    ["a no-break space", "a\u00A0b"],
    ["an ideographic space", "a\u3000b"],
    ["a slash", "a/b"],
    ["a backslash", "a\\b"],
    ["a dot", "a.b"],
    ["one dot", "."],
    ["two dots", ".."],
    ["a percent sign", "a%20b"],
    ["a question mark", "a?b"],
    ["a number sign", "a#b"],
    ["a plus", "a+b"],
    ["an at sign", "@a"],
    ["a colon", "a:b"],
    ["a tilde", "~a"],
    ["a quote", "a'b"],
    ["an ampersand", "a&b"],
    ["angle brackets", "<script>"],
    ["NUL", "a\0b"],
    ["only NUL", "\0"],
    ["DEL", "a\u007Fb"],
    ["a C1 control", "a\u0085b"],
    ["a lone high surrogate", "a\uD83D"],
    ["a lone low surrogate", "\uDE00a"],
    ["an unassigned code point", "a\u{E1234}"],
    ["a private-use character", "a\uE000"],
    ["half a flag", "🇩"],
    ["a fraction", "½"],
    ["a fullwidth slash", "a／b"],
    ["an ideographic full stop", "a。b"],
  ])("must not be %s", (_, slug) => {
    expect(refused(slug)).toMatch(charactersOnly);
  });

  it.each([
    ["a!b", 'not "!"'],
    ["a b", "not a space"],
    ["a/b", 'not "/"'],
    ["a½", 'not "½" (U+00BD)'],
    ["a\u00A0b", "not U+00A0"],
    ["a\0b", "not U+0000"],
    ["a\uD83D", "not U+D83D"],
    ["a\u200Bb", "here U+200B"],
    ["a-\u0301", "here U+0301"],
  ])("are refused with the name of the character: %j", (slug, named) => {
    expect(refused(slug)?.endsWith(named)).toBe(true);
  });

  it.each([
    ["a zero-width space", "a\u200Bb"],
    ["a zero-width joiner outside an emoji", "a\u200Db"],
    ["a zero-width joiner after an emoji", "🚀\u200D"],
    ["a zero-width non-joiner", "a\u200Cb"],
    ["a zero-width non-joiner after a letter that does not join", "د\u200Cب"],
    ["two zero-width non-joiners", "می\u200C\u200Cخ"],
    ["a zero-width joiner between Arabic letters", "ب\u200Dب"],
    ["a zero-width non-joiner at the end", "می\u200C"],
    ["a word joiner", "a\u2060b"],
    ["a byte order mark", "\uFEFFa"],
    ["a soft hyphen", "a\u00ADb"],
    ["a right-to-left override", "a\u202Eb"],
    ["a left-to-right mark", "a\u200E"],
    ["a Hangul filler", "a\u3164"],
    ["a halfwidth Hangul filler", "\uFFA0"],
    ["a combining grapheme joiner", "a\u034F"],
    ["a variation selector on a letter", "a\uFE0F"],
    ["a supplementary variation selector", "葛\u{E0100}"],
    ["a Mongolian variation selector", "\u1820\u180B"],
    ["an inherent vowel of Khmer", "\u1780\u17B4"],
    ["a tag character", "a\u{E0061}"],
  ])("must not contain invisible characters: %s", (_, slug) => {
    expect(refused(slug)).toMatch(/^must not have invisible characters, here U\+/);
  });

  it.each([
    ["alone", "\u0301"],
    ["at the start of a Hindi word", "\u093fहन्दी"],
    ["after a hyphen", "a-\u0301"],
    ["after a digit", "1\u0301"],
    ["after an emoji", "😀\u0301"],
  ])("must not have a mark that follows no letter: %s", (_, slug) => {
    expect(refused(slug)).toMatch(/^must not have a vowel sign or accent that follows no letter, here U\+/);
  });

  it("are refused at once if one bad character follows many emoji, not after trying every split", () => {
    for (const bad of ["!", " ", "."]) expect(refused("😀".repeat(63) + bad)).toMatch(charactersOnly);
    expect(refused(`${"1️⃣".repeat(21)}!`)).toMatch(charactersOnly);
  });

  it("keep the joiner at their end when what is glued to them is cut off", () => {
    const slug = "അവന്\u200D";
    const path = `/${encodeURIComponent(slug)}`;
    expect(withoutGlued(path)).toBeNull();
    for (const glued of [").", "\u200B", "&a=b"])
      expect(withoutGlued(path + encodeURIComponent(glued))).toBe(path);
    expect(withoutGlued("/a%E2%80%8D")).toBe("/a");
  });

  it("survive a round trip through a URL", () => {
    const anything = fc.oneof(
      fc.string({ unit: "binary", maxLength: 70 }),
      fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 }),
      fc.stringMatching(/^[\p{L}\p{Nd}_-]{1,20}$/u),
      fc
        .array(
          fc.constantFrom(
            "a",
            "Z",
            "é",
            "e\u0301",
            "한",
            "नि",
            "👍🏽",
            "👨‍👩‍👧",
            "🇩🇪",
            "1️⃣",
            "❤️",
            "-",
            "\u200D",
            "\uFE0F",
          ),
          {
            minLength: 1,
            maxLength: 30,
          },
        )
        .map((parts) => parts.join("")),
    );
    fc.assert(
      fc.property(anything, (raw) => {
        const result = parseSlug(raw);
        if (!result.ok) return;
        const { slug } = result;
        expect(slug.replaceAll("\uFE0F", "")).toBe(raw.normalize("NFC").replaceAll("\uFE0F", ""));
        expect(parseSlug(slug.replaceAll("\uFE0F", ""))).toEqual(result);
        expect(parseSlug(slug)).toEqual(result);
        expect(parseSlug(raw.normalize("NFD"))).toEqual(result);
        expect(slug.isWellFormed()).toBe(true);
        expect(Array.from(slug).length).toBeLessThanOrEqual(64);
        const path = new URL(`https://s.test/${encodeURIComponent(slug)}`).pathname;
        expect(decodeURIComponent(path.slice(1))).toBe(slug);
      }),
      { numRuns: 3000 },
    );
  });
});
