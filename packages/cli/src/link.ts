import { withHttps } from "@terse/importers/text";
import { ApiError, ConnectionError, type Issue, type Link } from "@terse/client";
import type { Invocation, Option } from "./command.ts";
import { UsageError } from "./command.ts";
import { quickFetch } from "./http.ts";

/** The id of a link that was named by its id, slug or short URL. */
export async function idOf(
  { place, client }: Pick<Invocation, "place" | "client">,
  name: string,
): Promise<string> {
  if (name === "") throw new UsageError("LINK must not be empty");
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(name)) {
    const known = await client.links.get({ id: name }).catch((error: unknown) => {
      if (error instanceof ApiError && error.status === 404) return null;
      throw error;
    });
    if (known) return known.id;
  }
  return locate(place, name);
}

/** REST takes ids only; the procedure that finds links by name is served over tRPC. */
async function locate({ url, workspace, credential }: Invocation["place"], name: string): Promise<string> {
  const input = encodeURIComponent(JSON.stringify({ id: name }));
  const response = await quickFetch(`${url}/trpc/links.locate?input=${input}`, {
    headers: {
      ...(credential && { Authorization: `Bearer ${await credential()}` }),
      ...(workspace && { "Terse-Workspace": workspace }),
    },
    signal: AbortSignal.timeout(30_000),
  }).catch((cause: unknown) => {
    throw new ConnectionError(`The service at ${url} could not be reached`, { cause });
  });
  const answer = (await response.json().catch(() => ({}))) as {
    result?: { data: { id: string } };
    error?: { message: string; data?: { issues?: Issue[] } };
  };
  if (answer.result) return answer.result.data.id;
  if (response.ok) throw new ConnectionError("The answer is not JSON");
  const { message, data } = answer.error ?? {};
  const isUrl = response.status === 404 && message !== undefined && name.includes("/");
  throw new ApiError(
    isUrl
      ? `${message}: your account at ${url} has no link with the short URL ${name}`
      : (message ?? `The service answered ${response.status}`),
    response,
    data?.issues,
  );
}

/** Options that set fields of a link. */
export const linkOptions: Record<string, Option> = {
  slug: { value: "SLUG", help: "The last part of the short URL" },
  title: { value: "TEXT", help: "A name for yourself; visitors see it only in the link's preview" },
  tag: { value: "NAME", help: "A tag; repeat it for several", multiple: true },
  notes: { value: "TEXT", help: "Private notes" },
  qr: {
    value: "JSON",
    help: `Style of its QR code: color, background, dots, eyes, margin, level, logo, such as '{"color": "#036"}'`,
  },
  password: { value: "TEXT", help: "Password that visitors must enter" },
  "starts-at": { value: "TIME", help: "Before this time the link answers 404 (ISO 8601)" },
  "expires-at": { value: "TIME", help: "From this time on the link answers 410 (ISO 8601)" },
  "click-limit": { value: "NUMBER", help: "After this many clicks the link answers 410" },
  "fallback-url": { value: "URL", help: "Where visitors are sent while the link does not work" },
};

/** The fields that the options set; an empty text clears one. */
export function fieldsOf({ text, texts }: Invocation) {
  const orNull = (name: string) => (text(name) === "" ? null : text(name));
  const tags = texts("tag")?.filter((tag) => tag !== "");
  const limit = orNull("click-limit");
  const fallback = orNull("fallback-url");
  const look = orNull("qr");
  return {
    slug: text("slug"),
    title: orNull("title"),
    notes: orNull("notes"),
    password: orNull("password"),
    starts_at: orNull("starts-at"),
    expires_at: orNull("expires-at"),
    fallback_url: fallback && (withHttps(fallback) ?? fallback),
    ...(tags && { tags }),
    ...(look !== undefined && { qr: look === null ? null : lookIn(look) }),
    // Anything else is left to the service, whose sentence says what is allowed.
    ...(limit !== undefined && { click_limit: limit === null ? null : Number(limit) }),
  };
}

/** The parts of a style are left to the service, whose sentence says what is allowed. */
function lookIn(text: string): object {
  try {
    const look: unknown = JSON.parse(text);
    if (typeof look === "object" && look !== null && !Array.isArray(look)) return look;
  } catch {
    // the same sentence
  }
  throw new UsageError(`--qr must be an object in JSON, such as '{"color": "#003366", "dots": "rounded"}'`);
}

/** The rows that `terse show` prints. */
export function linesOf(link: Link): [name: string, value: string][] {
  const { id, shortUrl, destination, title, tags, notes, qr, click_count, last_click_at, health } = link;
  const all: [string, string | null][] = [
    ["short URL", shortUrl],
    ["destination", destination],
    ["title", title],
    ["tags", tags.join(", ")],
    ["notes", notes],
    ["QR code", qr && JSON.stringify(qr)],
    ["clicks", String(click_count)],
    ["last click", last_click_at],
    ["state", link.disabled_at ? "disabled by the operator" : link.is_active ? "on" : "off"],
    ["password", link.has_password ? "yes" : null],
    ["starts at", link.starts_at],
    ["expires at", link.expires_at],
    ["click limit", link.click_limit === null ? null : String(link.click_limit)],
    ["fallback URL", link.fallback_url],
    ["health", health?.status ?? null],
    ["created", link.created_at],
    ["created by", link.created_by?.name ?? null],
    ["changed", link.updated_at],
    ["id", id],
  ];
  return all.filter((row): row is [string, string] => Boolean(row[1]));
}
