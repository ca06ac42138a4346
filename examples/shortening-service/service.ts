// The same in TypeScript: inputs, outputs and errors are typed end to end, over any tRPC transport.
import { type AppRouter, AppError, createCore, type Decision, type Link } from "@terse/core";
import type { inferRouterInputs, inferRouterOutputs } from "@trpc/server";

type NewLink = inferRouterInputs<AppRouter>["links"]["create"];
type Page = inferRouterOutputs<AppRouter>["links"]["list"];

export async function shorten(databaseUrl: string, email: string, newLink: NewLink): Promise<Link | null> {
  const core = await createCore({ databaseUrl, shortBase: "https://trs.example", rateLimits: { pro: 1000 } });
  try {
    const account = await core.accounts.byEmail(email);
    return await core.caller({ kind: "account", account, credential: "internal" }).links.create(newLink);
  } catch (error) {
    if (error instanceof AppError && error.code === "CONFLICT") return null;
    throw error;
  } finally {
    await core.close();
  }
}

export const locationOf = (decision: Decision): string | null =>
  decision.kind === "redirect" ? decision.location : null;

export const totalOf = (page: Page): number => page.meta.total;
