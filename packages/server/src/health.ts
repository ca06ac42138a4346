import type { Context } from "hono";

/** Answers that this process is up; whether the database is, it does not say. */
export const health = (c: Context): Response =>
  c.json({ status: "ok", service: "terse" }, 200, { "Cache-Control": "no-store" });
