import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { AppError, type Core, issue } from "@terse/core";
import { isSecure, rateLimitKey, type ServerEnv } from "@terse/server";
import { type Context, Hono } from "hono";
import { identify, rejectForeignOrigin, sourceOf } from "../credentials.ts";
import { failure, success } from "../envelope.ts";
import { compressed, fixedFile } from "../fixed-file.ts";
import { readJsonBody } from "../input.ts";
import { passkeyPage } from "./pages/passkey.ts";
import { accountKeptPage, send, wordsOf } from "./pages/page.ts";
import { localPath } from "./return-to.ts";
import { beginSession } from "./session-cookie.ts";

/** What a browser asks the device for: a sign-in, another one to the session's account, or a new passkey */
const purposes = ["sign_in", "again", "add"] as const;

const script = new URL("./pages/passkey.js", import.meta.url);

/** Routes by which browsers sign in with passkeys and make them. They speak JSON, with the envelope of the API. */
export function passkeyRoutes(core: Core, origin: string): Hono<ServerEnv> {
  const app = new Hono<ServerEnv>();
  const { passkeys } = core;

  async function bodyOf(c: Context<ServerEnv>) {
    rejectForeignOrigin(c, origin);
    const body: Record<string, unknown> = (await readJsonBody(c.req.raw)) ?? {};
    const purpose = purposes.find((each) => each === (body["for"] ?? "sign_in"));
    if (purpose === undefined) {
      const message = `must be one of ${purposes.join(", ")}`;
      throw new AppError("BAD_REQUEST", issue("for", "invalid_choice", message, { choices: purposes }));
    }
    return { body, purpose };
  }
  const clientOf = (c: Context<ServerEnv>) => rateLimitKey(c.var.client.address);
  const actorOf = (c: Context<ServerEnv>) => identify(c, core, origin);

  app.post("/auth/passkey/options", async (c) => {
    const { purpose } = await bodyOf(c);
    if (purpose === "add") return success(c, 200, await passkeys.addOptions(await actorOf(c)));
    const again = purpose === "again" ? await actorOf(c) : undefined;
    return success(c, 200, await passkeys.signInOptions(clientOf(c), again));
  });

  app.post("/auth/passkey/verify", async (c) => {
    const { purpose, body } = await bodyOf(c);
    const { response, name, return_to } = body;
    if (purpose === "add") return success(c, 201, await passkeys.add(await actorOf(c), response, name));
    const again = purpose === "again" ? await actorOf(c) : undefined;
    const source = sourceOf(c);
    const account = await passkeys.signIn(clientOf(c), response, { source, ...(again && { again }) });
    c.set("account", account.id);
    const secure = isSecure(c.var, origin);
    const isKept = await beginSession(c, core, account, { way: "passkey", secure });
    const returnTo = localPath(typeof return_to === "string" ? return_to : undefined);
    const kept = new URLSearchParams({ kept: "true", return_to: returnTo });
    return success(c, 200, { next: isKept ? `/auth/passkey?${kept.toString()}` : returnTo });
  });

  /** For browsers that are on a page without scripts, and after a sign-in that restored an account. */
  app.get("/auth/passkey", async (c) => {
    const returnTo = localPath(c.req.query("return_to"));
    const words = wordsOf(c);
    if (c.req.query("kept") === "true") return send(c, await accountKeptPage(words, returnTo));
    return send(c, await passkeyPage(words, returnTo));
  });

  app.get(
    "/auth/passkey.js",
    fixedFile(
      "text/javascript; charset=utf-8",
      compressed(() => readFileSync(fileURLToPath(script))),
      {},
    ),
  );

  app.onError((error, c) => failure(c, error));
  return app;
}
