import { campaignDimensions } from "../dimensions.ts";
import { createMemo } from "../../kernel/memo.ts";
import { tidy } from "./tidy.ts";

/** The campaign of a click: the values of `campaignDimensions`, in their order, "" for none. */
export type Campaign = readonly string[];

/** Characters that the log keeps of the parameters of a visit, and as many of those of its destination. */
const maxParameters = 500;
const maxCampaign = 2 * maxParameters + 1;
/** Characters of a value. */
const maxValue = 100;

const parameter = /(?:^|[?&])(utm_)/;

/**
 * Returns what clicks keep of the queries of a visit and of the URL that it was sent to: from the first `utm_` parameter
 * on, the visit's before the line feed and the destination's after it; "" if neither has one. Both are ASCII.
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
  return text.slice(start, start + maxParameters);
}

/** Cached campaigns: 4 MB if each text has the maximum length. */
const campaigns = createMemo(read, 1024, maxCampaign);

/** Reads what `campaignIn` returned: the visit's value of each name, or else the destination's. Null if there is none. */
export const campaignOf = (text: string): Campaign | null => (text === "" ? null : campaigns.get(text));

function read(text: string): Campaign | null {
  const [visit, sent] = text.split("\n", 2).map((part) => new URLSearchParams(part));
  const values = campaignDimensions.map(
    (name) => valueIn(visit?.get(name) ?? null) || valueIn(sent?.get(name) ?? null),
  );
  return values.every((value) => value === "") ? null : values;
}

/** "(none)" is what other services write for no value. */
function valueIn(text: string | null): string {
  const value = tidy(text ?? "", maxValue);
  return value.toLowerCase() === "(none)" ? "" : value;
}
