import type { Hints } from "./tool.ts";

/**
 * The hints about a tool for hosts, so that they ask their user if it matters. Tools only touch the account itself
 * (`openWorldHint: false`).
 */
export const reads: Hints = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};
export const creates: Hints = { ...reads, readOnlyHint: false, idempotentHint: false };
export const overwrites: Hints = { ...reads, readOnlyHint: false, destructiveHint: true };
