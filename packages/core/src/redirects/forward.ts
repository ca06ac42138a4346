/** Adds parts of the requested URL to a link's destination: pure, and exact to the byte. */

/** How much of a path, and how much of a query, is forwarded at most; with it, a location has at most 16,000 characters. */
export const maxForwarded = 4000;

export const queryModes = ["none", "keep", "override"] as const;
/** Whose value wins if both have a parameter: with keep the destination's, with override the visit's. */
export type QueryMode = Exclude<(typeof queryModes)[number], "none">;

/** Everything that a Location header or a request target cannot contain unescaped. */
const unsafe = /[^\u0021-\u007E]/gu;

/** Percent-encodes, as UTF-8, what is not printable ASCII, and `also`; null if it is too long. */
function toAscii(text: string, also: RegExp): string | null {
  if (text.length > maxForwarded) return null;
  const ascii = text.toWellFormed().replace(unsafe, encodeURIComponent).replace(also, encodeURIComponent);
  return ascii.length > maxForwarded ? null : ascii;
}

/** A dot, a slash or a backslash, encoded once or several times: proxies and servers may decode it that often. */
const encodedPart = /%(?:25)*(2e|2f|5c)/gi;
/** A segment that leads upwards, also with parameters, which some servers remove first. */
const dots = /^\.\.?(?:;|$)/;

/** True if a path stays below the one that it is added to, whatever a server decodes. */
function staysBelow(path: string): boolean {
  const decoded = path.replace(encodedPart, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
  return !decoded.includes("\\") && decoded.split("/").every((segment) => !dots.test(segment));
}

/** Path, query and fragment of a URL; the latter two with their first character, or empty. */
function partsOf(url: string): [path: string, query: string, fragment: string] {
  const hash = url.indexOf("#");
  const beforeHash = hash === -1 ? url : url.slice(0, hash);
  const mark = beforeHash.indexOf("?");
  return [
    mark === -1 ? beforeHash : beforeHash.slice(0, mark),
    mark === -1 ? "" : beforeHash.slice(mark),
    hash === -1 ? "" : url.slice(hash),
  ];
}

/**
 * Adds a path, which begins with a slash, to that of a location. Where both have a slash, one remains. A single slash adds
 * nothing: mail programs and people add it. Null if the path is too long or might leave the location's own path.
 */
export function withPath(location: string, path: string): string | null {
  if (path === "" || path === "/") return location;
  const added = toAscii(path, /[?#]/g);
  if (added === null || !staysBelow(added)) return null;
  const [base, query, fragment] = partsOf(location);
  return (base.endsWith("/") ? base.slice(0, -1) : base) + added + query + fragment;
}

/** The name of a parameter, decoded as forms are (URL standard, section 5.1); null for the nothing in `a&&b`. */
function nameOf(parameter: string): string | null {
  // Without the ampersand, a question mark at the start would be left out.
  return new URLSearchParams(`&${parameter}`).keys().next().value ?? null;
}

const namesIn = (parameters: readonly string[]) =>
  new Set(parameters.map(nameOf).filter((name) => name !== null));

const withoutNames = (parameters: readonly string[], names: ReadonlySet<string>) =>
  parameters.filter((parameter) => {
    const name = nameOf(parameter);
    return name === null || !names.has(name);
  });

/**
 * Adds a query, without its question mark, behind that of a location. Of a parameter that both have, all values of one
 * side remain: with `keep` the location's, with `override` the visit's. Null if the query is too long.
 */
export function withQuery(location: string, query: string, mode: QueryMode): string | null {
  if (query === "") return location;
  const added = toAscii(query, /#/g);
  if (added === null) return null;
  const [base, own, fragment] = partsOf(location);
  if (own.length <= 1) return `${base}?${added}${fragment}`;
  const [ours, theirs] = [own.slice(1).split("&"), added.split("&")];
  const all =
    mode === "keep"
      ? [...ours, ...withoutNames(theirs, namesIn(ours))]
      : [...withoutNames(ours, namesIn(theirs)), ...theirs];
  return `${base}?${all.join("&")}${fragment}`;
}
