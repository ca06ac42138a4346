const fieldNames = ["device", "language", "referrer", "query", "ip"] as const;

/** What is assumed of a visitor, besides country and time: a key of `agents`, and fields as the API takes them. */
export type AssumedVisitor = Partial<Record<(typeof fieldNames)[number], string>>;

/** The assumptions in an address; undefined if there are none. */
export function assumedIn(search: unknown): AssumedVisitor | undefined {
  if (typeof search !== "object" || search === null) return undefined;
  const given = search as Record<string, unknown>;
  const fields = fieldNames.filter((name) => typeof given[name] === "string" && given[name] !== "");
  return fields.length > 0 ? Object.fromEntries(fields.map((name) => [name, given[name]])) : undefined;
}
