import { type TestApp, baseUrl } from "../client.ts";

export interface Visit {
  url: URL;
  status: number;
  headers: Headers;
  text: string;
  /** The absolute Location, or null */
  location: URL | null;
}

export interface Visitor {
  /** Cookies by name; browsers keep them by host, regardless of the port */
  cookies: Map<string, string>;
  get(url: string | URL, headers?: Record<string, string>): Promise<Visit>;
  post(url: string | URL, form?: Record<string, string>, headers?: Record<string, string>): Promise<Visit>;
  /** GETs and follows redirects, to the first address that `until` accepts or that is no redirect. */
  follow(url: string | URL, until?: (url: URL) => boolean): Promise<Visit>;
}

/** A minimal browser: keeps cookies by host, and follows redirects on request. */
export function createVisitor(app: TestApp, base = baseUrl): Visitor {
  const jars = new Map<string, Map<string, string>>();
  const jarOf = ({ hostname }: URL) => {
    const jar = jars.get(hostname) ?? new Map<string, string>();
    jars.set(hostname, jar);
    return jar;
  };

  async function visit(to: string | URL, init: RequestInit): Promise<Visit> {
    const url = new URL(to, base);
    const jar = jarOf(url);
    const headers = new Headers(init.headers);
    if (jar.size > 0) headers.set("cookie", Array.from(jar, (pair) => pair.join("=")).join("; "));
    const request = { ...init, headers, redirect: "manual" } as const;
    const response = url.origin === base ? await app.app.request(url, request) : await fetch(url, request);
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = "", rest = ""] = /^([^=]+)=([^;]*)(.*)$/.exec(line) ?? [];
      const expires = /expires=([^;]+)/i.exec(rest)?.[1];
      if (/max-age=0/i.test(rest) || (expires && Date.parse(expires) < Date.now())) jar.delete(name);
      else jar.set(name, value);
    }
    const location = response.headers.get("location");
    return {
      url,
      status: response.status,
      headers: response.headers,
      text: await response.text(),
      location: location === null ? null : new URL(location, url),
    };
  }

  return {
    cookies: jarOf(new URL(base)),
    get: (url, headers = {}) => visit(url, { headers }),
    post: (url, form = {}, headers = {}) =>
      visit(url, { method: "POST", headers, body: new URLSearchParams(form) }),
    async follow(url, until = () => false) {
      let at = await visit(url, {});
      while (at.location && !until(at.location)) at = await visit(at.location, {});
      return at;
    },
  };
}
