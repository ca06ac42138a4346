import { isForm, type ServerEnv } from "@terse/server";
import type { Context } from "hono";
import { bodyLimit } from "hono/body-limit";
import { badForm } from "./answer.ts";
import { send } from "./hono.ts";

/** A password of 200 characters takes 1,800 bytes at most, percent-encoded. */
const maxBytes = 4096;

/** Refuses larger bodies with 413, declared or found out while reading. */
export const limitForm = bodyLimit({
  maxSize: maxBytes,
  onError: async (c) => send(c, await badForm(413)),
});

/** The password in a submitted form, "" where its field is missing; null where the body is no form. */
export async function submittedPassword(c: Context<ServerEnv>): Promise<string | null> {
  if (!isForm(c.req.header("content-type"))) return null;
  return new URLSearchParams(await c.req.text()).get("password") ?? "";
}
