import type { Actor } from "./context.ts";
import { AppError } from "./errors.ts";

/** What an API key can be limited to. Released names never change, because they are stored with keys. */
export const scopes = [
  "links:read",
  "links:write",
  "analytics:read",
  "domains",
  "buckets",
  "keys",
  "account",
  "webhooks",
] as const;
export type Scope = (typeof scopes)[number];

/** Throws 403 if the caller has an API key with none of these scopes. */
export function demandScope(actor: Actor, ...needed: readonly Scope[]): void {
  const key = actor.kind === "account" ? actor.key : undefined;
  const granted = key?.scopes ?? null;
  if (granted === null || needed.some((scope) => granted.includes(scope))) return;
  const [scope] = needed;
  if (scope === undefined) throw new AppError("FORBIDDEN", "This needs an API key without scopes");
  const what = key?.is_connection ? "connection" : "API key";
  throw new AppError("FORBIDDEN", `This ${what} needs the scope ${needed.join(" or ")}`, { scope });
}
