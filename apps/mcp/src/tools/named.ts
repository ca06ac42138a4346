import { AppError, appRouter, callProcedure, type Context, hasLongHost, issue } from "@terse/core";
import type { AnyProcedure } from "@trpc/server";

type Row = Readonly<Record<string, unknown>> & { id: string };

/** How tags, domains and buckets are found by what people call them. */
export interface Listing {
  thing: string;
  /** The procedure that lists them all, in pages or at once */
  list: AnyProcedure;
  /** What assistants read about `id` */
  words: string;
  /** Spellings that belong to one row only, in one form for all ways to write them */
  unique(row: Row): unknown[];
  /** Spellings that several rows may share */
  shared?(row: Row): unknown[];
  /** The form that a text is compared in */
  form(text: string): string;
}

const { buckets, domains, tags } = appRouter;

const inOneCase = (text: string) => text.trim().normalize("NFC").toLowerCase().normalize("NFC");

/** A short URL without its scheme, decoded, or any other text as it is; the host alone is in lower case. */
function placeIn(text: string): string {
  const [host = "", ...path] = text
    .trim()
    .replace(/^https?:\/\//i, "")
    .replace(/\/$/, "")
    .split("/");
  if (path.length === 0) return host.normalize("NFC");
  const rest = path.join("/");
  return `${host.toLowerCase()}/${decoded(rest).normalize("NFC")}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A host name in the spelling of the DNS, however it is written and with or without a scheme. */
function hostIn(text: string): string {
  const url = `http://${text.trim().replace(/^https?:\/\//i, "")}`;
  return hasLongHost(url) ? "" : (URL.parse(url)?.host ?? "");
}

export const tagsByName: Listing = {
  thing: "Tag",
  list: tags.list,
  words: "Name or id, such as spring",
  unique: ({ name }) => [name],
  form: inOneCase,
};
export const domainsByName: Listing = {
  thing: "Domain",
  list: domains.list,
  words: "Host name or id, such as go.example.com",
  // Tools only change the own ones.
  unique: ({ domain, owned }) => (owned ? [domain] : []),
  form: hostIn,
};
export const bucketsByName: Listing = {
  thing: "Bucket",
  list: buckets.list,
  words: "Slug, short URL, name or id, such as ada",
  unique: ({ slug, shortUrl }) => [slug, shortUrl],
  shared: ({ name }) => [name],
  form: placeIn,
};

/** The form of an id, which no tag, domain or slug of ours has by chance. */
const id = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/**
 * The id of the thing that an argument names. Anything that is no text is left to the procedure.
 * @throws {AppError} 404 if nothing has the name, 400 if several have it
 */
export async function idNamed(ctx: Context, listing: Listing, sent: unknown): Promise<unknown> {
  if (typeof sent !== "string" || id.test(sent)) return sent;
  const { thing, form, unique, shared } = listing;
  const rows = await rowsOf(ctx, listing.list);
  const has = (values: unknown[]) => values.some((value) => form(String(value)) === form(sent));
  const one = rows.find((row) => has(unique(row)));
  if (one) return one.id;
  const named = shared
    ? rows.filter((row) => shared(row).some((value) => inOneCase(String(value)) === inOneCase(sent)))
    : [];
  const [only, ...others] = named;
  if (!only) throw new AppError("NOT_FOUND", `${thing} not found: list_${thing.toLowerCase()}s has them all`);
  if (others.length === 0) return only.id;
  const choices = named.slice(0, 10).map((row) => String(unique(row)[0]));
  const message = `${named.length} have this name; give one of ${choices.join(", ")}`;
  throw new AppError("BAD_REQUEST", issue("id", "invalid_choice", message, { choices }));
}

async function rowsOf(ctx: Context, list: AnyProcedure): Promise<Row[]> {
  const rows: Row[] = [];
  for (let page = 1; ; page++) {
    const input = list === buckets.list ? { page, limit: 100 } : {};
    const answer = (await callProcedure(list, ctx, () => input)) as
      | Row[]
      | { data: Row[]; meta: { total_pages: number } };
    if (Array.isArray(answer)) return answer;
    rows.push(...answer.data);
    if (page >= answer.meta.total_pages) return rows;
  }
}
