import { AppError } from "../kernel/errors.ts";
import type { StoredOptions } from "./options.ts";

interface Times {
  starts_at?: Date | null | undefined;
  expires_at?: Date | null | undefined;
}

/** Throws 400 if an input would make a link end before it begins. What it leaves out is as `stored`. */
export function refuseEndBeforeStart(input: Times, stored: StoredOptions = {}): void {
  if (input.starts_at == null && input.expires_at == null) return;
  const { starts_at = stored.starts_at, expires_at = stored.expires_at } = input;
  if (starts_at == null || expires_at == null || starts_at <= expires_at) return;
  const [field, excluded] =
    input.starts_at == null ? ["expires_at", "before starts_at"] : ["starts_at", "after expires_at"];
  throw new AppError("BAD_REQUEST", `${field}: must not be ${excluded}`);
}
