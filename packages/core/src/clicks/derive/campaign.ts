import { createMemo } from "../../kernel/memo.ts";
import { toAscii } from "../../kernel/text.ts";
import { campaignDimensions } from "../dimension-names.ts";

/** The campaign of a click: the values of `campaignDimensions`, in their order, "" for none. */
export type Campaign = readonly string[];

/** Characters that the log keeps of the parameters of a visit, and as many of those of its destination. */
const maxParameters = 500;
const maxCampaign = 2 * maxParameters + 1;
/** Characters of a value. */
const maxValue = 100;
/** Characters of each value, so that all five have room with their names. */
const shareOfValue = Math.floor(
  (maxParameters - campaignDimensions.join("=&").length - 1) / campaignDimensions.length,
);
/** Characters of a long query that are read. */
const maxRead = 8000;

const parameter = /(?:^|[?&])(utm_)/;

/**
 * Returns what clicks keep of the queries of a visit, as Node received it, and of the URL that it was sent to, which is ASCII: from
 * the first `utm_` parameter on, the visit's before the line feed and the destination's after it; "" if neither has one.
 */
export function campaignIn(query: string, destination: string): string {
  const [visit, sent] = [parametersIn(query), parametersIn(destination)];
  return visit === "" && sent === "" ? "" : `${visit}\n${sent}`;
}

function parametersIn(url: string): string {
  if (!url.includes("utm_")) return "";
  const end = url.indexOf("#");
  const text = end === -1 ? url : url.slice(0, end);
  const found = parameter.exec(text);
  if (found === null) return "";
  const start = found.index + found[0].length - "utm_".length;
  const parameters = toAscii(text.slice(start, start + maxRead));
  return parameters.length <= maxParameters ? parameters : shortened(parameters);
}

/** Long parameters without all others, and with values that are decoded and cut: so none takes the room of another one. */
function shortened(parameters: string): string {
  const sent = new URLSearchParams(parameters);
  const written = (length: number) =>
    campaignDimensions
      .flatMap((name) => {
        const value = tidy(sent.get(name) ?? "", maxValue);
        return value === "" ? [] : `${name}=${cut(value.replaceAll(/[%&+#]/g, encodeURIComponent), length)}`;
      })
      .join("&");
  const whole = written(Number.POSITIVE_INFINITY);
  return whole.length <= maxParameters ? whole : written(shareOfValue);
}

/** The first characters of a value in a query, without a part of one at the end. */
const cut = (text: string, length: number): string =>
  text.length <= length ? text : text.slice(0, length).replace(/%[\dA-F]?$|[\uD800-\uDBFF]$/, "");

/** Cached campaigns: 4 MB if each text has the maximum length. */
const campaigns = createMemo(read, 1024, maxCampaign);

/** Reads what `campaignIn` returned: the visit's value of each name, or else the destination's. Null if there is none. */
export const campaignOf = (text: string): Campaign | null => (text === "" ? null : campaigns.get(text));

function read(text: string): Campaign | null {
  const [visit, sent] = text.split("\n", 2).map((part) => new URLSearchParams(part));
  const values = campaignDimensions.map(
    (name) => campaignValueOf(visit?.get(name) ?? "") || campaignValueOf(sent?.get(name) ?? ""),
  );
  return values.every((value) => value === "") ? null : values;
}

/** A value as it is stored, "" for none: "(none)" is what other services write for that. */
export function campaignValueOf(text: string): string {
  const value = tidy(text, maxValue);
  return value.toLowerCase() === "(none)" ? "" : value;
}

/** Control characters and spaces, of which one space remains. */
const gaps = /[\p{Cc}\p{Z}]+/gu;

/** A text from outside as it can be stored: on one line, with at most `length` characters. */
export const tidy = (text: string, length: number): string =>
  text
    .replace(gaps, " ")
    .trim()
    .slice(0, length)
    .replace(/[\uD800-\uDBFF]$/, "")
    .toWellFormed()
    .trim();
