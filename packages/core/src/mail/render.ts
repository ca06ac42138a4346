import type { MailKind, MailLanguage } from "./mail.types.ts";
import { topicOfKind } from "./mail.types.ts";
import type { Block, Content, Formats, Line, MailWords } from "./template.ts";
import { de } from "./words/de.ts";
import { en } from "./words/en.ts";
import { fr } from "./words/fr.ts";

const words: Readonly<Record<MailLanguage, MailWords>> = { en, de, fr };

/** The language of a mail: the person's if there are texts in it, else English. */
export const mailLanguageOf = (language: string | null): MailLanguage =>
  language !== null && Object.hasOwn(words, language) ? (language as MailLanguage) : "en";

/** What the outbox has of a mail; `secret` is null once it was sent. */
export interface StoredMail {
  kind: MailKind;
  language: string | null;
  data: object;
  secret: object | null;
}

export interface RenderedMail {
  subject: string;
  text: string;
  html: string;
}

/** Stands for secrets that are not there any more, or that only the recipient may read. */
const hidden = { code: "••••••", token: "…", path: "/…" };

/**
 * The subject and both forms of a mail: plain text, and HTML without remote content, in colours for light and dark. Buttons
 * are below `baseUrl`; `unsubscribeUrl` is null for mails that always arrive.
 */
export function renderMail(
  { kind, language, data, secret }: StoredMail,
  { baseUrl, unsubscribeUrl }: { baseUrl: string; unsubscribeUrl: string | null },
): RenderedMail {
  const code = mailLanguageOf(language);
  const texts = words[code];
  const base = baseUrl.replace(/\/+$/, "");
  const fields = withPlainText({ ...hidden, ...data, ...secret });
  const template = texts[kind] as (fields: object, formats: Formats) => Content;
  const { subject, blocks } = template(fields, formatsOf(code));
  const topic = topicOfKind(kind);
  const unsubscribe =
    topic === null || unsubscribeUrl === null
      ? null
      : { text: `${texts.unsubscribe} (${texts.topics[topic]})`, url: unsubscribeUrl };
  const footer = texts.footer(base);
  const text = [
    ...blocks.map((block) => textOf(block, base)),
    joinLines("-- ", footer, unsubscribe && `${unsubscribe.text}: ${unsubscribe.url}`),
  ].join("\n\n");
  const body = blocks.map((block) => htmlOf(block, base)).join("\n");
  const small = `<p class="small">${escapeHtml(footer)}${
    unsubscribe === null
      ? ""
      : `<br><a href="${escapeHtml(unsubscribe.url)}">${escapeHtml(unsubscribe.text)}</a>`
  }</p>`;
  return {
    subject: subject.slice(0, 200),
    text: `${text}\n`,
    html: page(code, subject, `${body}\n${small}`),
  };
}

const joinLines = (...lines: readonly (string | null)[]): string =>
  lines.filter((line) => line !== null).join("\n");

function formatsOf(language: MailLanguage): Formats {
  const of = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(language === "en" ? "en-GB" : language, { ...options, timeZone: "UTC" });
  const [time, day] = [of({ dateStyle: "long", timeStyle: "short" }), of({ dateStyle: "long" })];
  const numbers = new Intl.NumberFormat(language);
  const changes = new Intl.NumberFormat(language, { style: "percent", signDisplay: "exceptZero" });
  return {
    number: (value) => numbers.format(value),
    change: (ratio) => changes.format(ratio),
    time: (iso) => `${time.format(new Date(iso))} UTC`,
    day: (iso) => day.format(new Date(iso)),
  };
}

const maxName = 200;

/**
 * What people typed, as one line of plain text that mail programs do not turn into links: a name must not lead readers to
 * another site in this service's name. Paths and codes are ours and stay.
 */
function withPlainText(fields: object): object {
  const clean = (value: unknown, key = ""): unknown => {
    if (typeof value === "string") return key === "path" || isOurs.has(key) ? value : plainText(value);
    if (Array.isArray(value)) return value.map((each) => clean(each));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, clean(each, name)]));
  };
  return clean(fields) as object;
}
const isOurs: ReadonlySet<string> = new Set([
  "code",
  "token",
  "at",
  "from",
  "to",
  "domain",
  "network",
  "job",
]);

export const plainText = (name: string): string =>
  name
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]+/gu, " ")
    .trim()
    .slice(0, maxName)
    .toWellFormed()
    // U+2060 (word joiner) has no width, and ends what programs take for an address.
    .replaceAll(/(?<=[\p{L}\p{N}])[.@:](?=[\p{L}\p{N}/])/gu, "$&\u2060");

function textOf(block: Block, base: string): string {
  if (typeof block === "string") return block;
  if ("code" in block) return `    ${block.code}`;
  if ("button" in block) return `${block.button}:\n${base}${block.path}`;
  const lines = block.lines.map(({ label, value, note, path }) =>
    joinLines(`  ${label}${value ? `: ${value}` : ""}${note ? ` (${note})` : ""}`, `    ${base}${path}`),
  );
  return joinLines(block.title, ...lines);
}

export const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);

function htmlOf(block: Block, base: string): string {
  if (typeof block === "string") return `<p>${escapeHtml(block)}</p>`;
  if ("code" in block) return `<p class="code">${escapeHtml(block.code)}</p>`;
  if ("button" in block)
    return `<p><a class="button" href="${escapeHtml(base + block.path)}">${escapeHtml(block.button)}</a></p>`;
  const heading = block.isPart ? "h3" : "h2";
  return `<${heading}>${escapeHtml(block.title)}</${heading}>\n<table>${block.lines.map((line) => rowOf(line, base)).join("\n")}</table>`;
}

function rowOf({ label, value, note, path }: Line, base: string): string {
  const cells = [value, note].map((text) => `<td class="number">${escapeHtml(text ?? "")}</td>`);
  return `<tr><td><a href="${escapeHtml(base + path)}">${escapeHtml(label)}</a></td>${cells.join("")}</tr>`;
}

/** Colours have enough contrast in both themes; programs that ignore `style` still show plain black on white. */
const style = `:root{color-scheme:light dark}
body{margin:0 auto;padding:24px;max-width:560px;background:#fff;color:#1a1a1f;font:16px/1.5 system-ui,sans-serif}
a{color:#2f4bc7}h2{margin-top:32px;font-size:20px}h3{margin:16px 0 4px;font-size:16px}td{padding:4px 16px 4px 0}.number{text-align:right}
.code{font:600 32px/1.4 ui-monospace,monospace;letter-spacing:4px}
.button{display:inline-block;padding:12px 20px;border-radius:8px;background:#2f4bc7;color:#fff;text-decoration:none}
.small{margin-top:32px;font-size:13px;color:#5c5c66}
@media (prefers-color-scheme:dark){body{background:#16161a;color:#ececf1}a{color:#a9b8ff}
.button{background:#a9b8ff;color:#16161a}.small{color:#a5a5b0}}`;

const page = (language: string, subject: string, body: string): string =>
  `<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><meta name="viewport" content="width=device-width">
<title>${escapeHtml(subject)}</title><style>${style}</style></head>
<body>
${body}
</body>
</html>
`;
