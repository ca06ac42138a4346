import { creationAt, type SourceLink, titleOf } from "../source.ts";

/** A link of Kutt. */
export interface KuttLink {
  /** Different for each link */
  name: string;
  address: string;
  target: string;
  /** Null for the default domain */
  domain?: string | null | undefined;
  description?: string | null | undefined;
  /** Whether it has one */
  password: boolean;
  /** It, or its domain */
  banned: boolean;
  /** ISO 8601; of Kutt on SQLite `2027-01-31 12:00:00`, in UTC */
  expire_in?: string | null | undefined;
  visit_count: number;
  created_at: string;
}

/** Converts a link of Kutt. `domain` is where links of its default domain go; undefined: the service's own host. */
export function toLink(from: KuttLink, domain: string | undefined): SourceLink {
  const host = from.domain ?? domain;
  const title = titleOf(from.description);
  return {
    name: from.name,
    fields: {
      url: from.target,
      slug: from.address,
      ...(host && { domain: host }),
      ...(title && { title }),
      ...(from.expire_in && { expires_at: withZone(from.expire_in) }),
    },
    ...creationAt(Date.parse(withZone(from.created_at))),
    imported_clicks: from.visit_count,
    visits: 0,
    refusal: refusalOf(from),
  };
}

const withZone = (time: string) => time.replace(/^([\d-]+) ([\d:]+)$/, "$1T$2Z");

function refusalOf({ password, banned }: KuttLink): string | undefined {
  if (password) return "it has a password, which Kutt does not reveal: create it with a new one";
  return banned ? "it is banned there" : undefined;
}

export const losses = [
  "Links whose address has a slash, a dot or another character that slugs cannot have. The result names them.",
  "Links with a password: Kutt only has its hash, and without a password they would be open. The result names them.",
  "Banned links.",
  "Time and origin of each click: Kutt only stores hourly sums. A link's total becomes its `imported_clicks`.",
];
