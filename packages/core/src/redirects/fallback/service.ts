import { decoded } from "@terse/importers/text";
import { parseReference } from "../../kernel/host-names.ts";
import { type Outbound, OutboundError } from "../../outbound/outbound.ts";
import { parseDestination } from "../destination.ts";

/** Sent with every request, so that another Terse does not ask a third service. */
export const importAgent = "Terse-Import/1.0";

const request = {
  headers: { "user-agent": importAgent, accept: "*/*" },
  maxBytes: 1,
  timeoutMs: 3000,
} as const;

/** The service gave no answer that says whether it has the link. */
export class NoAnswer extends Error {
  override readonly name = "NoAnswer";
}

/** Asks a service where its short URL for a slug leads; null if it has none. Follows no redirect. Throws NoAnswer. */
export async function askFor(outbound: Outbound, base: string, slug: string): Promise<string | null> {
  const url = new URL(`${base}/${encodeURIComponent(slug)}`);
  let answer = await send(outbound, url, "HEAD");
  if (answer.status === 405 || answer.status === 501) answer = await send(outbound, url, "GET");
  const { status, location } = answer;
  if (status === 429 || status >= 500) throw new NoAnswer(`It answers with status ${status}`);
  if (![301, 302, 303, 307, 308].includes(status) || location === null) return null;
  const absolute = parseReference(location, url);
  // To itself: another spelling, a page to sign in, or the start page for a slug that it does not know.
  if (absolute === null || absolute.hostname === url.hostname) return null;
  const destination = parseDestination(absolute.href);
  return destination.ok ? destination.url : null;
}

async function send(outbound: Outbound, url: URL, method: "HEAD" | "GET") {
  try {
    return await outbound.send(url, { ...request, method });
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    throw new NoAnswer(error.message, { cause: error });
  }
}

/** A service's answer for an unused slug. */
export interface Control {
  slug: string;
  location: string | null;
}

const kinds = ["0123456789", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz"] as const;
const leastLength = 12;

/**
 * A random slug with the same kinds of characters as another, because services may treat words, numbers and capitals differently. It is
 * too long to be in use by chance.
 */
export function controlSlug(like: string, randomBytes: (size: number) => Uint8Array): string {
  const bytes = randomBytes(like.length + leastLength);
  const random = (characters: string, at: number) => characters[(bytes[at] ?? 0) % characters.length] ?? "";
  const letters = Array.from(like, (each, at) => {
    const kind = kinds.find((characters) => characters.includes(each));
    return kind === undefined ? each : random(kind, at);
  });
  const letter =
    kinds.find((characters) => Array.from(like).some((each) => characters.includes(each))) ?? kinds[2];
  const own = letters.filter((each) => kinds.some((characters) => characters.includes(each))).length;
  for (let at = own; at < leastLength; at++) letters.push(random(letter, like.length + at));
  return letters.join("");
}

/**
 * Whether a service answers a slug as it answers unused ones. These answers may contain the slug, in any spelling, and parts
 * that change from one to the next, such as a time.
 */
export function isLikeControls(controls: readonly Control[], slug: string, destination: string): boolean {
  const parts = partsOf(destination);
  const expected = controls
    .flatMap((control) => (control.location === null ? [] : [expectedParts(control, control.location, slug)]))
    .filter((each) => each.length === parts.length && each[0] === parts[0]);
  return (
    expected.length > 0 &&
    parts.every((part, at) => {
      const values = new Set(expected.map((each) => each[at]));
      return values.has(part) || values.size > 1;
    })
  );
}

/** The parts of the answer that the slug would get if it were unused. */
const expectedParts = (control: Control, location: string, slug: string): string[] =>
  partsOf(location).map((part) => part.replaceAll(plain(control.slug), plain(slug)));

/** The origin, segments of the path, names and values of the query, and the fragment. */
function partsOf(address: string): string[] {
  const { origin, pathname, searchParams, hash } = new URL(address);
  const remaining = [...pathname.split("/"), ...[...searchParams].flat(), hash];
  return [origin, ...remaining.map(plain)];
}

/** Without what services change in a slug: encoding, capitals, separators. */
const plain = (text: string): string =>
  decoded(text)
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[-_+\s]/g, "");
