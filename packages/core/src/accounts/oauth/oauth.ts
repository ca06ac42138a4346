import type { AccountDeps } from "../call.ts";
import { type Account, toAccount } from "../../kernel/context.ts";
import { requireRecentSignIn } from "../../kernel/access.ts";
import { tooMany } from "../../rpc/limits/counting.ts";
import { idOrNull } from "../../kernel/validation/ids.ts";
import { readClientDocument } from "./client-document.ts";
import { connect } from "./connect.ts";
import { endConnections, recordConnection } from "./end.ts";
import type { OAuth } from "./oauth.types.ts";
import { createOAuthStore } from "./store.ts";

/** Implements `OAuth`. */
export function createOAuth(deps: AccountDeps): OAuth {
  return {
    store: createOAuthStore(deps),
    async limit(request, address) {
      const refusal = await deps.limits.takeByClient(`oauth-${request}`, address);
      if (refusal !== null) throw tooMany(refusal, "requests");
    },
    async account(id) {
      const { rows } = await deps.pool.query<Account>(
        "select id, email, name, plan from users where id = $1 and suspended_at is null and deletes_at is null",
        [idOrNull(id)],
      );
      return rows[0] ? toAccount(rows[0]) : null;
    },
    requireRecentSignIn: (actor) => requireRecentSignIn(actor, deps.clock(), "connect a program"),
    connect: (connection) => connect(deps, connection),
    async endMisused(id) {
      const [ended] = await endConnections(deps, { id });
      if (!ended) return;
      const deed = { account_id: ended.account_id, by: { kind: "service", id: null } } as const;
      await recordConnection(deps, deed, "connection_misused", ended);
    },
    readClientDocument: (url) => readClientDocument(deps, url),
  };
}
