import fc from "fast-check";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { fromInert } from "../src/csv.ts";
import { decodeFile } from "../src/decode.ts";
import { type FileOptions, type LinkFile, readFile } from "../src/read-file.ts";
import tables from "./read-file.json" with { type: "json" };

const to = "https://example.com/a";

function read(text: string, options: FileOptions = {}): LinkFile {
  const file = readFile(text, { ownHost: "short.test", ...options });
  if ("refusal" in file) throw new Error(file.refusal);
  return file;
}
const rows = (text: string, options?: FileOptions) => [...read(text, options).rows()];
const links = (text: string, options?: FileOptions) => rows(text, options).map(({ link }) => link);
const refusal = (text: string, options?: FileOptions) => {
  const file = readFile(text, options);
  return "refusal" in file ? file.refusal : null;
};
/** The row of a link with one more column. */
const withColumn = (name: string, value: string, more = "") => {
  const [row] = rows(`url,slug,${name}\n${to},own,${value}${more}`);
  if (!row) throw new Error("no row");
  return row;
};

describe("bytes", () => {
  const text = "https://example.com/Größe\n";
  const utf16 = (order: "le" | "be") => {
    const bytes = Buffer.from(`\uFEFF${text}`, "utf16le");
    return order === "le" ? bytes : bytes.swap16();
  };
  it.each([
    ["UTF-8", Buffer.from(text)],
    ["UTF-8 with a mark", Buffer.from(`\uFEFF${text}`)],
    ["UTF-16LE with a mark", utf16("le")],
    ["UTF-16BE with a mark", utf16("be")],
  ])("in %s are read", (_, bytes) => {
    expect(decodeFile(bytes)).toEqual({ text });
  });

  it.each([
    [
      "Windows-1252",
      Buffer.from([0x61, 0x80, 0x62, 0x63, 0x64]),
      "it looks like Windows-1252: save it as UTF-8",
    ],
    ["ISO 8859-1", Buffer.from(text, "latin1"), "it looks like Windows-1252 or ISO 8859-1"],
    ["KOI8-R", Buffer.from([0xf0, 0xd2, 0xc9, 0xd7, 0xc5, 0xd4]), "an encoding of another script"],
    [
      "UTF-16 without a mark",
      Buffer.from("https://a.example/", "utf16le"),
      "UTF-16 without a byte-order mark",
    ],
    ["a workbook", Buffer.from([0x50, 0x4b, 3, 4, 0]), "is a workbook (.xlsx, .ods) or a ZIP archive"],
  ])("in %s are refused, and what they look like is said", (_, bytes, message) => {
    expect(decodeFile(bytes)).toEqual({ refusal: expect.stringContaining(message) });
  });

  it.each([
    ["<!DOCTYPE html><p>", "is an HTML page"],
    ["<!DOCTYPE NETSCAPE-Bookmark-file-1>", "is a file of bookmarks"],
    ["<?xml version='1.0'?><urlset/>", "is XML"],
    ["PK\u0003\u0004", "is a workbook"],
    ["-- MySQL dump 10.13\nINSERT INTO", "is an SQL dump"],
  ])("of another kind are named: %s", (text_, message) => {
    expect(refusal(text_)).toContain(message);
  });

  it("that were broken before refuse their row", () => {
    const [row] = rows("url\nhttps://example.com/Gr\uFFFD\uFFFDe");
    expect(row?.refusal).toContain("has a broken character");
  });
});

describe("a list", () => {
  const map = "https://www.google.com/maps/@52.52,13.40,15z";
  it.each([map, `url\n${map}`, `${to}\n${map}`])("has one URL a line, commas or not: %j", (text) => {
    expect(links(text).at(-1)).toEqual({ url: map });
  });

  it("has https:// added where people leave it out, and not to a word", () => {
    expect(
      links("www.example.org/x\nexample.com\nmünchen.example:8080/?q=1\nnonsense\njavascript:alert(1)"),
    ).toEqual([
      { url: "https://www.example.org/x" },
      { url: "https://example.com" },
      { url: "https://münchen.example:8080/?q=1" },
      { url: "nonsense" },
      { url: "javascript:alert(1)" },
    ]);
  });

  it("with more columns is refused with an example, unless they are named", () => {
    const text = `${to},launch,news\n${to},other,"x|y"`;
    expect(refusal(text)).toMatch(
      /^has 3 columns and no header; name them with columns, such as destination,slug,tags/,
    );
    expect(links(text, { columns: ["destination", "slug", "tags"] })).toEqual([
      { url: to, slug: "launch", tags: ["news"] },
      { url: to, slug: "other", tags: ["x", "y"] },
    ]);
    expect(links(text, { columns: ["destination", "-", "tags"] })[0]).toEqual({ url: to, tags: ["news"] });
    expect(links("https://a.example/b,c", { columns: ["destination"] })).toEqual([
      { url: "https://a.example/b,c" },
    ]);
    expect(refusal(text, { columns: ["destination", "colour"] })).toMatch(
      /^columns: "colour" is not a field of a link/,
    );
    const [short] = rows(text, { columns: ["destination", "slug"] });
    expect(short?.refusal).toContain(
      'has 3 values, more than the 2 of columns: name all of them, with "-" to skip one',
    );
  });
});

describe("CSV", () => {
  it("with a row that is longer than its header refuses that row, with the fix", () => {
    const [long, padded] = rows(`url,title\n${to},Hello, world\n${to},ok,,\n`);
    expect(long?.refusal).toBe(
      "has 3 values, more than the 2 of the header: put a value that contains a comma in double quotes",
    );
    expect(padded).toEqual({ row: 3, link: { url: to, title: "ok" }, totals: {} });
  });

  it.each(["\n", "\r\n", "\r"])(
    "counts rows as a spreadsheet does, and loses none, with line ends %j",
    (end) => {
      const text = ["url,title", "", `${to},"two`, 'lines"', `${to},b`, " ,", `${to},c`].join(end);
      expect(rows(text).map(({ row, link }) => [row, link.title])).toEqual([
        [3, "two lines"],
        [4, "b"],
        [6, "c"],
      ]);
    },
  );

  it("names the line where a quote opens that is never closed", () => {
    expect(refusal(`url,title\n${to},"two\nlines"\n\n${to},"never\n${to},\n`)).toBe(
      "line 5: a quote opens here and is never closed",
    );
  });

  it.each([
    [`sep=;\nurl;title\n${to};a, b`, "a, b"],
    [`sep=|\nurl|title\n${to}|a;b`, "a;b"],
    [`url;title\n${to};"a;b"`, "a;b"],
    [`url\ttitle\n${to}\ta, b`, "a, b"],
    [`"Title, as shown","url"\n"x",${to}`, undefined],
    [`url,title\n${to},"One, ""two"""`, 'One, "two"'],
    [`url,title\n${to}, "a, b"`, "a, b"],
    [`url,title\n${to},a "quoted" word`, 'a "quoted" word'],
    [`url,title\n${to},"a" and b`, '"a" and b'],
    [`url,title\n${to},'=1+1`, "=1+1"],
  ])("has its separator recognised, and its quotes: %j", (text, title) => {
    expect(links(text)).toEqual([{ url: to, ...(title !== undefined && { title }) }]);
  });

  it("is read in time that grows with its length", () => {
    const long = 30_000;
    expect([...read(`url,title\n${`${to},"a"\n`.repeat(long)}`).rows()]).toHaveLength(long);
    expect([...read(`${to}\n`.repeat(long)).rows()]).toHaveLength(long);
  });
});

it("has tags of this service's own export that look like JSON", () => {
  const own = `slug,destination,click_count,tags\nown,${to},0,[1]|{}`;
  expect(links(own)[0]?.tags).toEqual(["[1]", "{}"]);
});

describe("JSON", () => {
  it("has tags as texts and as objects, nested fields, and fields of different names a row", () => {
    const list = [
      { url: to, slug: "x", tags: [{ id: 1, name: "A, b" }, { name: "c" }] },
      { destination: to, key: "y", tags: ["d, e"] },
      { long_url: to, back_half: "z", tag: "f,g" },
      {
        longUrl: to,
        shortCode: "w",
        meta: { validSince: "2030-01-01T00:00:00+01:00", validUntil: null, maxVisits: 9 },
      },
    ];
    expect(links(JSON.stringify({ data: list, total: 4 }))).toEqual([
      { url: to, slug: "x", tags: ["A, b", "c"] },
      { url: to, slug: "y", tags: ["d, e"] },
      { url: to, slug: "z", tags: ["f", "g"] },
      { url: to, slug: "w", starts_at: "2029-12-31T23:00:00.000Z", click_limit: 9 },
    ]);
  });

  it("may be an object of objects, or an object a line", () => {
    const entry = (slug: string) => ({ long_url: to, id: `short.test/${slug}` });
    const expected = [
      { url: to, slug: "a" },
      { url: to, slug: "b" },
    ];
    expect(links(JSON.stringify({ links: { link_1: entry("a"), link_2: entry("b") } }))).toEqual(expected);
    expect(links(`{"Short":"a","Long":"${to}"}\n\n{"Short":"b","Long":"${to}"}\n`)).toEqual(expected);
    expect(
      rows(`{"Short":"a","Long":"${to}"}\n\n{"Short":"b","Long":"${to}"}\n`).map(({ row }) => row),
    ).toEqual([1, 3]);
    expect(refusal(`{"url":"${to}"}\n{"url":`)).toBe("line 2: is not a JSON object; write one object a line");
  });
});

describe("what closes a link elsewhere", () => {
  it.each(tables.switchesOff as [string, string][])("%s = %s switches it off", (name, value) => {
    expect(withColumn(name, value).link).toMatchObject({ is_active: 0 });
  });

  it.each(tables.asksForPassword as [string, string][])("%s = %s asks for a password", (name, value) => {
    const { link, refusal: reason } = withColumn(name, value);
    expect(reason ?? link.password).toMatch(/^\*\*\*$|limits who may follow/);
  });

  it.each(tables.refusesRow as [string, string][])("%s = %s refuses its row", (name, value) => {
    const { refusal: reason } = withColumn(name, value);
    expect(reason).toMatch(new RegExp(`^${name}: `));
  });

  it.each([
    "is_disabled",
    "deleted",
    "password",
    "expires_at",
    "max_clicks",
    "status",
    "visibility",
    "archived",
  ])("%s without a value, or with one that says no, leaves it open", (name) => {
    for (const value of ["", "0", "false", "null", "NULL", "no"]) {
      const { link, refusal: reason } = withColumn(name, value);
      expect([link, reason]).toEqual([{ url: to, slug: "own" }, undefined]);
    }
  });

  it.each(tables.becomes as [string, string][])("%s becomes %s", (name, field) => {
    expect(withColumn(name, "2030-01-31").link).toMatchObject({ [field]: "2030-01-31T00:00:00.000Z" });
  });

  it("a limit of clicks counts those that were used, and refuses a link that has none left", () => {
    expect(withColumn("max_visits,clicks", "10,4").link).toMatchObject({ click_limit: 6 });
    expect(withColumn("clicks_limit,clicks", "10,10").refusal).toMatch(/reached its click limit/);
    expect(withColumn("one_time", "true").link).toMatchObject({ click_limit: 1 });
  });

  it("what has a twin here is taken, as from Short.io with all fields", () => {
    const header =
      "id\tshort_url\toriginal_url\ttitle\tpath\tclicks_limit\tpassword\tredirect_type\texpire_at\texpire_url\tandroid_url\tiphone_url\tarchived\tsplit_url\tsplit_percent\tfolder_name";
    const row = `x\thttps://go.acme.example/own\t${to}\tT\town\t100\t\t301\t2030-01-31\te.example/over\thttps://an.example\thttps://ip.example\ttrue\thttps://sp.example\t30\tf`;
    const file = read(`${header}\n${row}`);
    expect([file.source, file.notTaken]).toEqual(["Short.io", ["id", "archived", "folder_name"]]);
    expect([...file.rows()]).toEqual([
      {
        row: 2,
        totals: {},
        link: {
          url: to,
          slug: "own",
          domain: "go.acme.example",
          title: "T",
          click_limit: 100,
          redirect_status: 301,
          expires_at: "2030-01-31T00:00:00.000Z",
          fallback_url: "https://e.example/over",
          rules: [
            { when: { os: ["iOS"] }, url: "https://ip.example" },
            { when: { os: ["Android"] }, url: "https://an.example" },
          ],
          ab_test: {
            variants: [
              { url: to, weight: 70 },
              { url: "https://sp.example", weight: 30 },
            ],
          },
        },
      },
    ]);
  });

  it("archived links of Bitly, Dub and Short.io redirect there, and come in open", () => {
    for (const text of [
      `long_url,custom_bitlink,archived\n${to},https://short.test/own,true`,
      `Key,URL,Archived,Folder\nown,${to},true,f`,
      `original_url,path,archived\n${to},own,true`,
    ])
      expect(rows(text)).toEqual([{ row: 2, link: { url: to, slug: "own" }, totals: {} }]);
  });

  it("a placeholder of golink is no destination", () => {
    expect(rows(`{"Short":"a","Long":"https://x.example/{{.Path}}"}`)[0]?.refusal).toContain(
      "has a placeholder",
    );
  });
});

describe("slugs", () => {
  it.each(tables.slugs as [string, string][])("are in %s", (name, value) => {
    expect(links(`long_url,${name}\n${to},${value}`)).toEqual([{ url: to, slug: "own" }]);
  });

  it("and titles are none where a database wrote NULL", () => {
    expect(links(`url,slug,title\n${to},NULL,\\N`)).toEqual([{ url: to }]);
  });

  it("that are custom come before those that were generated, row by row", () => {
    const text = `Link,Custom Link,Destination URL\nhttps://bit.ly/3x,https://bit.ly/own,${to}\nhttps://bit.ly/3y,,${to}`;
    expect(links(text).map(({ slug }) => slug)).toEqual(["own", "3y"]);
    // The generated one leads nowhere any more.
    expect(read(text).notTaken).toEqual(["Link"]);
    const [link] = links(
      JSON.stringify([{ long_url: to, link: "https://bit.ly/3x", custom_bitlinks: ["bit.ly/own"] }]),
    );
    expect(link?.slug).toBe("own");
  });

  it.each([`url,hash\n${to},abc\n${to},def`, `url,old_one\n${to},https://s.example/abc`])(
    "in a column that is not known refuse the file, which says what to do: %j",
    (text) => {
      expect(refusal(text)).toMatch(
        /^column 2, "\w+", looks like slugs, and would be ignored; name the columns/,
      );
      expect(read(text, { columns: ["url", "-"] }).notTaken).toEqual([text.split(/[,\n]/)[1]]);
      expect(links(text, { columns: ["url", "slug"] })[0]?.slug).toBe("abc");
    },
  );

  it("of a full short URL have its host as their domain, unless the caller says one or it is the service's own", () => {
    const text = `long_url,link\n${to},https://go.acme.example/own`;
    expect(links(text)).toEqual([{ url: to, slug: "own", domain: "go.acme.example" }]);
    expect(links(text, { domain: "other.example" })[0]?.domain).toBe("other.example");
    expect(links(text, { domain: "short.test" })[0]).not.toHaveProperty("domain");
    expect(links(text.replace("go.acme.example", "Short.test"))[0]).not.toHaveProperty("domain");
    const shlink = `domain,shortCode,shortUrl,longUrl\n,own,https://s.example/own,${to}\nt.example,own,https://t.example/own,${to}`;
    expect(links(shlink).map(({ domain }) => domain)).toEqual(["s.example", "t.example"]);
  });
});

describe("any text", () => {
  const piece = fc.oneof(
    fc.constantFrom(
      '"',
      ",",
      ";",
      "\n",
      "\r",
      "\t",
      "{",
      "[",
      "]",
      "}",
      ":",
      "url",
      "slug",
      "tags",
      "expires_at",
      to,
      "01/02/2027",
    ),
    fc.string({ maxLength: 8, unit: "grapheme" }),
  );
  it("is read or refused, with rows in their order, and the same each time", () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const file = readFile(pieces.join(""));
        if ("refusal" in file) {
          expect(file.refusal).not.toBe("");
          return;
        }
        const all = [...file.rows()];
        expect(all).toHaveLength(file.total);
        expect(all.map(({ row }) => row)).toEqual(all.map(({ row }) => row).toSorted((a, b) => a - b));
        expect([...file.rows()]).toEqual(all);
      }),
      { numRuns: 300 },
    );
  });

  it.each([".", "{", "/", " ", "a.", "lock", "1/", "-", "'=", ";=", "https://", "%", "\u200b"])(
    "in a long cell of %j takes no long time, wherever it stands",
    (part) => {
      const long = part.repeat(100_000 / part.length);
      for (const text of [
        `url,slug,id,title,expires_at,max_clicks,tags\n${Array(7).fill(`x${long}x`).join()}`,
        `url,hash\n${to},${long}x`,
        `${long}\n${to}`,
        JSON.stringify([{ [long]: "x", url: long, title: `a${long}b`, expires_at: long, id: long }]),
      ]) {
        const file = readFile(text);
        if (!("refusal" in file)) expect([...file.rows()]).toHaveLength(file.total);
      }
    },
  );

  it("keeps what CSV has: cells come back as they were written", () => {
    const text = fc.string({ unit: "grapheme", maxLength: 12 }).filter((value) => !/[\uFFFD\0]/.test(value));
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 5 }), (titles) => {
        const quoted = titles.map((title) => `"${to}","${title.replaceAll('"', '""')}"`);
        const found = links(`url,title\r\n${quoted.join("\r\n")}`).map(({ title = "" }) => title);
        const expected = titles.map((title) => fromInert(title.trim()).replaceAll(/\s*[\r\n]+\s*/g, " "));
        expect(found).toEqual(expected);
      }),
      { numRuns: 200 },
    );
  });
});

describe("times", () => {
  it.each(tables.times as [string, string][])(
    "are in UTC, unless they say their zone: %s",
    (value, expected) => {
      vi.stubEnv("TZ", "America/New_York");
      onTestFinished(() => void vi.unstubAllEnvs());
      expect(withColumn("expires_at", value).link).toMatchObject({ expires_at: expected });
    },
  );

  it.each([
    "",
    "0",
    "null",
    "NULL",
    "0000-00-00",
    "0000-00-00 00:00:00",
    "0001-01-01T00:00:00Z",
    "never",
    "\\N",
  ])("are none if there is %j", (value) => {
    expect(withColumn("expires_at", value)).toMatchObject({ link: { slug: "own" } });
    expect(withColumn("expires_at", value).link).not.toHaveProperty("expires_at");
    expect(withColumn("expires_at", value)).not.toHaveProperty("refusal");
  });

  it.each(["3600", "tomorrow", "2027-02-30", "1/2/27", "20270131"])(
    "that cannot be read refuse the row: %s",
    (value) => {
      expect(withColumn("expires_at", value).refusal).toBe(
        `expires_at: "${value}" is not a time; write it as 2027-01-31T12:00:00Z`,
      );
    },
  );

  it("with the day or the month first are read if the whole file leaves no doubt, and otherwise asked about", () => {
    const file = (...values: string[]) =>
      `url,slug,expires_at\n${values.map((value, at) => `${to},s${at},${value}`).join("\n")}`;
    expect(links(file("01/02/2099", "31/12/2099"))[0]?.expires_at).toBe("2099-02-01T00:00:00.000Z");
    expect(links(file("01/02/2099", "12/31/2099"))[0]?.expires_at).toBe("2099-01-02T00:00:00.000Z");
    expect(links(file("02/02/2099"))[0]?.expires_at).toBe("2099-02-02T00:00:00.000Z");
    for (const values of [["01/02/2099"], ["31/12/2099", "12/31/2099", "01/02/2099"]])
      expect(refusal(file(...values))).toBe(
        'the dates in expires_at may have the day or the month first, as "01/02/2099" does; write them as 2027-01-31',
      );
  });

  it("of creation that leave a doubt are told, and refuse nothing", () => {
    const file = read(`url,slug,created_at\n${to},own,01/02/2020`);
    expect([file.notTaken, [...file.rows()]]).toEqual([
      ["created_at"],
      [{ row: 2, link: { url: to, slug: "own" }, totals: {} }],
    ]);
  });
});
