import { AppError } from "@terse/core";
import type { Context } from "hono";
import { readBytes } from "../input.ts";

/** The fields of a submitted HTML form. */
export async function readForm(c: Context): Promise<URLSearchParams> {
  const [type = ""] = (c.req.header("content-type") ?? "").split(";");
  if (type.trim().toLowerCase() !== "application/x-www-form-urlencoded") {
    throw new AppError("UNSUPPORTED_MEDIA_TYPE", "Content-Type must be application/x-www-form-urlencoded");
  }
  return new URLSearchParams(new TextDecoder().decode(await readBytes(c.req.raw)));
}
