/** A database URL in libpq's form, which may name several hosts (PostgreSQL 18, 32.1.1.2 and 32.1.1.3). */
export interface DatabaseUrl {
  /** One URL for each host, in order, without `target_session_attrs`; the driver understands these */
  readonly hosts: readonly string[];
  /** The URL's requirement of a server, such as `read-write`; null if it has none */
  readonly target: string | null;
}

const parts = /^(postgres(?:ql)?:\/\/)((?:[^/?#]*@)?)([^/?#]*)([^?#]*)(\?[^#]*)?$/i;

/** Splits a URL into one for each host. A URL with one host and no `target_session_attrs` stays as it is. */
export function parseDatabaseUrl(databaseUrl: string): DatabaseUrl {
  const [, scheme = "", user = "", places = "", path = "", search = ""] = parts.exec(databaseUrl) ?? [];
  const parameters = new URLSearchParams(search);
  const target = parameters.get("target_session_attrs");
  const named = parameters.get("host")?.split(",") ?? [];
  if (scheme === "" || (target === null && named.length < 2 && !places.includes(","))) {
    return { hosts: [databaseUrl], target };
  }
  const ports = parameters.get("port")?.split(",") ?? [];
  for (const name of ["target_session_attrs", "host", "port"]) parameters.delete(name);
  const rest = parameters.size > 0 ? `?${parameters.toString()}` : "";
  const given =
    named.length > 0
      ? named.map((host, at) => withPort(encodeHost(host), ports[at] ?? ports[0]))
      : places.split(",").map((place, at) => (ports[at] ? withPort(place, ports[at]) : place));
  return { hosts: given.map((place) => `${scheme}${user}${place}${path}${rest}`), target };
}

/** A folder of a socket is escaped, as the driver expects it; an IPv6 address is in brackets. */
function encodeHost(host: string): string {
  if (host.startsWith("/")) return encodeURIComponent(host);
  return host.includes(":") && !host.startsWith("[") ? `[${host}]` : host;
}

const withPort = (host: string, port: string | undefined) => (port ? `${host}:${port}` : host);

/** The host and port of a URL with one host, as people write them; a socket's folder instead. */
export function placeOf(url: string): string {
  const { host = "", searchParams } = URL.parse(url) ?? {};
  return host.startsWith("%2F")
    ? decodeURIComponent(host).replace(/:\d+$/, "")
    : host || (searchParams?.get("host") ?? "");
}

const targets = {
  primary: ["any", "read-write", "primary"],
  replica: ["any", "read-only", "standby", "prefer-standby"],
};

/** The problem with a database URL, completing "…: "; null if there is none. Repeats nothing of the URL. */
export function databaseUrlProblem(databaseUrl: string, role: keyof typeof targets): string | null {
  const { hosts, target } = parseDatabaseUrl(databaseUrl);
  if (target !== null && !targets[role].includes(target))
    return `target_session_attrs must be ${targets[role].join(", ")}`;
  if (hosts.length > 16) return "must name at most 16 hosts";
  return hosts.length === 1 || hosts.every((url) => URL.canParse(url))
    ? null
    : "each host must be a name or an address with an optional port, and special characters in passwords percent-encoded";
}
