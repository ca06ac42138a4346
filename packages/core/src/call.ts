import type { Context } from "./context.ts";
import type { Em } from "./db/em.ts";
import type { Deps } from "./deps.ts";

/** What a procedure works with. `em` is its own: links are out of reach until the builder has named the account. */
export interface Call extends Context {
  readonly deps: Deps;
  readonly em: Em;
}
