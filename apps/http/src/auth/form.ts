import { AppError } from "@terse/core";
import { isForm } from "@terse/server";
import type { Context } from "hono";
import { readBytes } from "../input.ts";

/** The fields of a submitted HTML form. */
export async function readForm(c: Context): Promise<URLSearchParams> {
  if (!isForm(c.req.header("content-type"))) {
    throw new AppError("UNSUPPORTED_MEDIA_TYPE", "Content-Type must be application/x-www-form-urlencoded");
  }
  return new URLSearchParams(new TextDecoder().decode(await readBytes(c.req.raw)));
}
