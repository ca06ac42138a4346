import { AppError } from "@terse/core";
import { databaseError, reasonOf, UserError } from "@terse/server";

/** Throws an error again, as a sentence that says whether the file or the database is the problem. */
export const explained =
  ({ file, description }: { file?: string; description?: string }) =>
  (error: unknown): never => {
    if (error instanceof AppError || error instanceof UserError) throw error;
    const { code, syscall, path = file } = error as { code?: unknown; syscall?: unknown; path?: string };
    const isOfNetwork = syscall === "connect" || syscall === "getaddrinfo" || syscall === undefined;
    if (!isOfNetwork && path !== undefined)
      throw new UserError(`${path}: ${reasonOf(error)}`, { cause: error });
    if (typeof code === "string" && description !== undefined) throw databaseError(description, error);
    throw error;
  };
