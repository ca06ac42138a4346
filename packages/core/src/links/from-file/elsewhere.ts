/** Where a link of another service leads besides its destination, as rules of ours; pure. */

export interface Elsewhere {
  rules?: { when: { os: string[] }; url: string }[];
  geo_rules?: { country: string; url: string }[];
  forward_query?: "override";
}

type Reader = (text: string) => Elsewhere;

const forSystem =
  (system: string): Reader =>
  (url) => ({ rules: [{ when: { os: [system] }, url }] });

/** A JSON object with a URL for each country; another text is left for the service to refuse. */
const byCountry: Reader = (text) => {
  let urls: unknown;
  try {
    urls = JSON.parse(text);
  } catch {
    urls = null;
  }
  if (typeof urls !== "object" || urls === null) return { geo_rules: [{ country: text, url: "" }] };
  const geo_rules = Object.entries(urls).map(([country, url]) => ({ country, url: String(url) }));
  return geo_rules.length > 0 ? { geo_rules } : {};
};

const withQuery: Reader = (text) => (text === "true" ? { forward_query: "override" } : {});

/** By service, the columns that say so, without spaces and signs and in lower case. */
const readers: Readonly<Record<string, Readonly<Record<string, Reader>>>> = {
  Sink: {
    apple: forSystem("iOS"),
    google: forSystem("Android"),
    geo: byCountry,
    redirectwithquery: withQuery,
  },
  "Short.io": { iphoneurl: forSystem("iOS"), androidurl: forSystem("Android") },
};

/** The numbers of these columns, by name. */
export function elsewhereColumns(source: string | null, header: readonly string[]): Record<string, number> {
  const names = Object.keys(readers[source ?? ""] ?? {}).filter((name) => header.includes(name));
  return Object.fromEntries(names.map((name) => [name, header.indexOf(name)]));
}

/** Reads them from a row. */
export function elsewhereOf(
  row: readonly string[],
  source: string | null,
  columns: Readonly<Record<string, number>>,
): Elsewhere {
  const found: Elsewhere = {};
  for (const [name, at] of Object.entries(columns)) {
    const text = row[at]?.trim() ?? "";
    if (text === "") continue;
    const { rules, ...rest } = readers[source ?? ""]?.[name]?.(text) ?? {};
    Object.assign(found, rest);
    if (rules) found.rules = [...(found.rules ?? []), ...rules];
  }
  return found;
}
