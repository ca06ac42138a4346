import { createHash } from "node:crypto";
import { refusal } from "../kernel/errors.ts";
import type { Link } from "./link.schema.ts";

const hash = (value: unknown) =>
  createHash("sha256").update(JSON.stringify(value)).digest("base64url").slice(0, 22);

/**
 * The fields set by the owner or the operator, without those that visits, health checks and the names of people change. Who made
 * it changes with `updated_at`.
 */
function revisionOf(link: Link): string {
  const {
    click_count: _,
    last_click_at: _1,
    imported_clicks: _2,
    fallbacks: _3,
    health: _4,
    created_by: _5,
    ...decided
  } = link;
  return hash(decided);
}

/**
 * The strong entity tag of a link (RFC 9110 section 8.8.3). It changes with each byte of the link, but its first part, up to the
 * full stop, only with its owner's or the operator's changes.
 */
export const etagOf = (link: Link): string => `"${revisionOf(link)}.${hash(link)}"`;

/** The entity tags in If-Match; undefined if there are none, as in `*`, which every link that exists matches. */
export const entityTagsIn = (ifMatch: string | undefined): string | undefined =>
  ifMatch?.trim() === "*" ? undefined : ifMatch;

/**
 * Refuses (412) to change a link that has changed since the caller read it. Clicks in between do not matter: they are
 * not lost. Weak tags match nothing (RFC 9110 section 13.1.1).
 */
export function requireRevision(entityTags: string, link: Link): void {
  const tags = entityTags.split(",").map((tag) => tag.trim());
  const start = `"${revisionOf(link)}.`;
  if (!tags.some((tag) => tag.startsWith(start) && tag.endsWith('"'))) throw changedSince();
}

export const changedSince = () =>
  refusal(
    "PRECONDITION_FAILED",
    "If-Match",
    "changed_meanwhile",
    "the link has changed since you read it; read it again",
    {
      resource: "link",
    },
  );
