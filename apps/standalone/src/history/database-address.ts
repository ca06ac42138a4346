import { reasonOf, UserError } from "@terse/server";

/** The database of another service. */
export interface DatabaseAddress {
  /** With the password */
  url: string;
  /** For messages, without a password: "the database kutt at db.example" */
  shown: string;
}

/** Whether a text is the address of a database, and not the name of a file. */
export const isDatabaseUrl = (text: string): boolean => /^[a-z]+:\/\//i.test(text);

/** @throws {UserError} if the address is no URL with the name of a database */
export function addressOf({
  url: text,
  password,
}: {
  url: string;
  password?: string | undefined;
}): DatabaseAddress {
  const url = URL.canParse(text) ? new URL(text) : null;
  const database = url?.pathname.slice(1) ?? "";
  if (url === null || database === "")
    throw new UserError("The address of the database must look like mysql://user@host/database");
  if (password !== undefined) url.password = encodeURIComponent(password);
  return { url: url.href, shown: `the database ${database} at ${url.host || "this machine"}` };
}

export const readFailure = (shown: string, error: unknown): UserError =>
  new UserError(`${shown} cannot be read: ${reasonOf(error)}`, { cause: error });
