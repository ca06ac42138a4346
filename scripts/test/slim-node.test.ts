import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { slim } from "../../deploy/slim-node.ts";

/** What a service asks ICU for, as text that grows with each difference. */
function answers() {
  const all = Array.from({ length: 0x110000 }, (_, code) => String.fromCodePoint(code)).filter((character) =>
    character.isWellFormed(),
  );
  const text = all.join("");
  const zones = Intl.supportedValuesOf("timeZone");
  const days = [-1e12, 0, 951_782_400_000, 1_790_000_000_000];
  const inZone = (timeZone: string, zoneName: "long" | "shortOffset") => {
    const format = new Intl.DateTimeFormat("en-GB", { timeZone, dateStyle: "full" });
    const named = new Intl.DateTimeFormat("en-GB", { timeZone, timeZoneName: zoneName, hour: "numeric" });
    return days.map((day) => `${format.format(day)} ${named.format(day)}`);
  };
  const regions = new Intl.DisplayNames(["en"], { type: "region" });
  const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });
  return JSON.stringify({
    normal: ["NFC", "NFD", "NFKC", "NFKD"].map((form) => text.normalize(form)),
    cases: [text.toLowerCase(), text.toUpperCase()],
    classes: [/\p{L}/u, /\p{M}/u, /\p{Default_Ignorable_Code_Point}/u, /\p{RGI_Emoji}/v].map((pattern) =>
      all.filter((character) => pattern.test(character)).join(""),
    ),
    zones: zones.flatMap((zone) => [inZone(zone, "long"), inZone(zone, "shortOffset")]),
    numbers: ["en", "en-GB"].map((locale) => new Intl.NumberFormat(locale).format(1_234_567.89)),
    lists: new Intl.ListFormat("en-GB", { type: "disjunction" }).format(["a", "b", "c"]),
    regions: ["DE", "CH", "XK", "TW"].map((region) => regions.of(region)),
    graphemes: [...graphemes.segment("e\u0301👩‍👩‍👧‍👦🇩🇪สวัสดี한국")].map(({ segment }) => segment),
    locales: Intl.getCanonicalLocales(["zh-hant-tw", "iw", "sr-latn-rs", "pt-br"]),
    hosts: ["bücher.test", "日本.test", "faß.test"].map((host) => new URL(`http://${host}`).host),
    encodings: ["utf-16le", "shift_jis", "gbk", "windows-1252"].map((label) =>
      new TextDecoder(label).decode(Uint8Array.from({ length: 96 }, (_, at) => at + 160)),
    ),
  });
}

it("Node without other languages answers as before what Terse asks, and is a fifth smaller", () => {
  const folder = mkdtempSync(join(tmpdir(), "terse-slim-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "node");
  writeFileSync(file, slim(readFileSync(process.execPath)), { mode: 0o755 });
  const run = (node: string, code: string) =>
    execFileSync(node, ["-p", code], { encoding: "utf8", maxBuffer: 2 ** 28, env: {} });
  const code = `(${answers.toString()})()`;
  expect(run(file, code) === run(process.execPath, code)).toBe(true);
  expect(run(file, 'Intl.NumberFormat.supportedLocalesOf(["de", "en-GB", "tr", "pt-BR"]).join()')).toBe(
    "en-GB\n",
  );
  expect(statSync(file).size).toBeLessThan(statSync(process.execPath).size * 0.8);
});

it("a program of another machine is refused", () => {
  expect(() => slim(Buffer.alloc(64))).toThrow("64-bit ELF");
});
