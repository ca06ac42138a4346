import type { Link } from "../../kit/api/link.ts";
import { withScheme } from "../../kit/format/url.ts";
import { type ConditionalDraft, newConditional, rulesOf } from "./rules/rules-draft.ts";

/** The parts of a link that are shown only when it has them. */
export const sections = ["notes", "password", "expires_at", "geo_rules", "ab_test"] as const;
export type Section = (typeof sections)[number];

export interface RuleDraft {
  /** Tells rows apart while they move */
  key: number;
  country: string | null;
  url: string;
}

export interface VariantDraft {
  key: number;
  url: string;
  weight: number;
}

export type RedirectStatus = Link["redirect_status"];
export const statuses: readonly RedirectStatus[] = [302, 301, 307, 308];
export const queryModes: readonly Link["forward_query"][] = ["none", "keep", "override"];

/** What chats show of a link; all empty for none of its own. */
export const emptyPreview = { title: "", description: "", image: "" };

/** A link as the form holds it, complete or not. */
export interface Draft {
  url: string;
  slug: string;
  /** The name of a custom domain; empty for the service's own host */
  domain: string;
  title: string;
  tags: readonly string[];
  notes: string;
  isActive: boolean;
  open: readonly Section[];
  /** What was typed; empty keeps the password that the link has */
  password: string;
  /** ISO 8601 in UTC; empty while a part of it is missing */
  expires_at: string | null;
  rules: readonly ConditionalDraft[];
  geo_rules: readonly RuleDraft[];
  ab_test: readonly VariantDraft[];
  redirect_status: RedirectStatus;
  forward_query: Link["forward_query"];
  forward_path: boolean;
  preview: typeof emptyPreview;
  /** ISO 8601 in UTC; empty while a part of it is missing */
  starts_at: string | null;
  /** Digits; empty for no limit */
  click_limit: string;
  fallback_url: string;
}

let lastKey = 0;
export const newRule = (country: string | null = null, url = ""): RuleDraft => ({
  key: ++lastKey,
  country,
  url,
});
export const newVariant = (url = "", weight = 1): VariantDraft => ({ key: ++lastKey, url, weight });

/** The draft that a form begins with: an existing link, or a new one with this destination. */
export function draftOf(link: Link | undefined, url: string): Draft {
  const has = {
    notes: link?.notes != null,
    password: link?.has_password ?? false,
    expires_at: link?.expires_at != null,
    geo_rules: (link?.geo_rules.length ?? 0) > 0,
    ab_test: link?.ab_test != null,
  };
  return {
    url: link?.destination ?? withScheme(url),
    slug: link?.slug ?? "",
    domain: "",
    title: link?.title ?? "",
    tags: link?.tags ?? [],
    notes: link?.notes ?? "",
    isActive: link?.is_active !== 0,
    open: sections.filter((section) => has[section]),
    password: "",
    expires_at: link?.expires_at ?? null,
    rules: link?.rules.map(newConditional) ?? [],
    geo_rules: link?.geo_rules.map((rule) => newRule(rule.country, rule.url)) ?? [],
    ab_test: link?.ab_test?.variants.map((variant) => newVariant(variant.url, variant.weight)) ?? [],
    redirect_status: link?.redirect_status ?? 302,
    forward_query: link?.forward_query ?? "none",
    forward_path: link?.forward_path ?? false,
    preview: {
      title: link?.preview?.title ?? "",
      description: link?.preview?.description ?? "",
      image: link?.preview?.image ?? "",
    },
    starts_at: link?.starts_at ?? null,
    click_limit: link?.click_limit?.toString() ?? "",
    fallback_url: link?.fallback_url ?? "",
  };
}

/** The fields of a link as the API takes them. Undefined leaves a field as it is. */
export function fieldsOf(draft: Draft, link: Link | undefined) {
  const { open } = draft;
  const keepsPassword = draft.password === "" && link?.has_password === true;
  return {
    url: withScheme(draft.url),
    slug: draft.slug.trim(),
    title: draft.title.trim() || null,
    tags: [...draft.tags],
    notes: draft.notes.trim() === "" ? null : draft.notes,
    is_active: draft.isActive ? (1 as const) : (0 as const),
    password: open.includes("password") ? (keepsPassword ? undefined : draft.password || null) : null,
    expires_at: open.includes("expires_at") ? draft.expires_at : null,
    rules: rulesOf(draft.rules),
    geo_rules: open.includes("geo_rules")
      ? draft.geo_rules.map(({ country, url }) => ({ country: country ?? "", url: withScheme(url) }))
      : [],
    ab_test: open.includes("ab_test")
      ? { variants: draft.ab_test.map(({ url, weight }) => ({ url: withScheme(url), weight })) }
      : null,
    redirect_status: draft.redirect_status,
    forward_query: draft.forward_query,
    forward_path: draft.forward_path,
    preview: previewOf(draft),
    starts_at: draft.starts_at,
    click_limit: draft.click_limit === "" ? null : Number(draft.click_limit),
    fallback_url: withScheme(draft.fallback_url) || null,
  };
}

/** The fields whose time is not all there, as the API names them. */
export function unfinishedTimes({ open, starts_at, expires_at, rules }: Draft): string[] {
  const ofRules = rules.flatMap(({ when }, place) =>
    (["after", "before"] as const)
      .filter((name) => when[name] === "")
      .map((name) => `rules.${place}.when.${name}`),
  );
  return [
    ...(open.includes("expires_at") && expires_at === "" ? ["expires_at"] : []),
    ...(starts_at === "" ? ["starts_at"] : []),
    ...ofRules,
  ];
}

/** The parts that were opened and in which nothing is entered. */
export function emptySections(draft: Draft, link: Link | undefined): Section[] {
  const isEmpty: Record<Section, boolean> = {
    notes: draft.notes.trim() === "",
    password: draft.password === "" && link?.has_password !== true,
    expires_at: draft.expires_at === null,
    geo_rules: draft.geo_rules.length === 0,
    ab_test: draft.ab_test.length === 0,
  };
  return draft.open.filter((section) => isEmpty[section]);
}

export type Fields = ReturnType<typeof fieldsOf>;

function previewOf({ preview }: Draft) {
  const [title, description, image] = [
    preview.title.trim(),
    preview.description.trim(),
    withScheme(preview.image),
  ];
  if (title === "" && description === "" && image === "") return null;
  return { title: title || null, description: description || null, image: image || null };
}

/** What an update has to send: the fields that differ from those of `before`. */
export function changesOf(before: Fields, after: Fields): Partial<Fields> {
  const changed = Object.entries(after).filter(
    ([name, value]) =>
      value !== undefined && JSON.stringify(value) !== JSON.stringify(before[name as keyof Fields]),
  );
  return Object.fromEntries(changed);
}

/** What a creation has to send: the fields that are set. */
export const creationOf = ({ url, slug, title, tags, notes, ...options }: Fields, domain: string) => ({
  url,
  ...(slug && { slug }),
  ...(title && { title }),
  ...(tags.length > 0 && { tags }),
  ...(notes && { notes }),
  ...(domain && { domain }),
  ...(options.password && { password: options.password }),
  ...(options.expires_at && { expires_at: options.expires_at }),
  ...(options.rules.length > 0 && { rules: options.rules }),
  ...(options.geo_rules.length > 0 && { geo_rules: options.geo_rules }),
  ...(options.ab_test && { ab_test: options.ab_test }),
  ...(options.redirect_status !== 302 && { redirect_status: options.redirect_status }),
  ...(options.forward_query !== "none" && { forward_query: options.forward_query }),
  ...(options.forward_path && { forward_path: options.forward_path }),
  ...(options.preview && { preview: options.preview }),
  ...(options.starts_at && { starts_at: options.starts_at }),
  ...(options.click_limit !== null && { click_limit: options.click_limit }),
  ...(options.fallback_url && { fallback_url: options.fallback_url }),
});
