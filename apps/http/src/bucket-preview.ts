import { AppError, issue, type Core, draftPage } from "@terse/core";
import { bucketPage, type ServerEnv } from "@terse/server";
import { Hono } from "hono";
import { wordsOf } from "./auth/pages/page.ts";
import { identify } from "./credentials.ts";
import { readForm } from "./input.ts";

/**
 * Serves `/buckets/preview`, which renders the page of a bucket that is not saved, for a frame of the console. The form has
 * the id of the bucket, whose colours follow from it, and the draft as JSON. The page is sandboxed, and nothing is stored.
 */
export function bucketPreviewRoutes(core: Core, baseOrigin: string, shortBase: string): Hono<ServerEnv> {
  const app = new Hono<ServerEnv>();
  app.post("/buckets/preview", async (c) => {
    const actor = await identify(c, core, baseOrigin);
    if (actor.kind !== "account") throw new AppError("UNAUTHORIZED", "Sign in to see a preview");
    const form = await readForm(c);
    const page = draftPage(parseDraft(form.get("draft")), shortBase);
    const id = /^[0-9a-f-]{36}$/.exec(form.get("id") ?? "")?.[0] ?? "0000";
    const { status, headers, body } = await bucketPage(id, page, wordsOf(c), { framedBy: baseOrigin });
    return c.body(body, status, headers);
  });
  return app;
}

function parseDraft(text: string | null): unknown {
  try {
    return JSON.parse(text ?? "");
  } catch {
    throw new AppError("BAD_REQUEST", issue("draft", "invalid_format", "must be JSON", { format: "json" }));
  }
}
