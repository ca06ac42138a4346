import { requireRecentSignIn } from "../../kernel/access.ts";
import { type Account, toAccount } from "../../kernel/context.ts";
import { tooMany } from "../../rpc/limits/counting.ts";
import { idOrNull } from "../../kernel/validation/ids.ts";
import { OutboundError } from "../../outbound/outbound.ts";
import type { ActivityDeps } from "../activity/record.ts";
import type { AccountDeps } from "../call.ts";
import { connect, endMisused } from "./connection.row.ts";
import type { OAuth } from "./oauth.types.ts";
import { createOAuthStore } from "./store.ts";

/** Implements `OAuth`. */
export function createOAuth(
  deps: ActivityDeps & Pick<AccountDeps, "limits" | "outbound" | "baseUrl">,
): OAuth {
  return {
    store: createOAuthStore(deps),
    async limit(request, address) {
      const refusal = await deps.limits.takeByClient(`oauth-${request}`, address);
      if (refusal !== null) throw tooMany(refusal, "requests");
    },
    async account(id) {
      const { rows } = await deps.pool.query<Account>(
        "select id, email, name, plan from workspaces where id = $1 and suspended_at is null and deletes_at is null",
        [idOrNull(id)],
      );
      return rows[0] ? toAccount(rows[0]) : null;
    },
    requireRecentSignIn: (actor) => requireRecentSignIn(actor, deps.clock(), "connect a program"),
    connect: (connection) => connect(deps, connection),
    endMisused: (id) => endMisused(deps, id),
    readClientDocument: (url) => readClientDocument(deps, url),
  };
}

const maxBytes = 16 * 1024;
const timeoutMs = 3000;

/**
 * Reads the document at a client's id (draft-ietf-oauth-client-id-metadata-document). Anyone can make the service ask for
 * one, so it goes through `outbound`. Throws an Error whose message says what is wrong, for the log.
 */
async function readClientDocument(
  { outbound, baseUrl }: Pick<AccountDeps, "outbound" | "baseUrl">,
  url: URL,
): Promise<unknown> {
  if (url.protocol !== "https:") throw new Error("The address is not https");
  const { status, contentType, body } = await outbound
    .send(url, {
      method: "GET",
      headers: { accept: "application/json", "user-agent": `Terse (+${baseUrl})` },
      maxBytes: maxBytes + 1,
      timeoutMs,
    })
    .catch((error: unknown) => {
      throw error instanceof OutboundError ? new Error(error.message, { cause: error }) : error;
    });
  // Redirects are answers like any other: they are not followed.
  if (status !== 200) throw new Error(`The host answered ${status}`);
  const [type = ""] = (contentType ?? "").split(";");
  if (type.trim().toLowerCase() !== "application/json")
    throw new Error("The document is not application/json");
  if (Buffer.byteLength(body) > maxBytes) throw new Error(`The document has more than ${maxBytes} bytes`);
  try {
    return JSON.parse(body);
  } catch {
    throw new Error("The document is not JSON");
  }
}
