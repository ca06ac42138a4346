import type { Core, StoredKind } from "@terse/core";
import { type Adapter, errors, Provider } from "oidc-provider";

/** The library's storage of one kind of object, in the core. */
export function adapterOf({ oauth }: Core, kind: StoredKind): Adapter {
  const { store } = oauth;
  return {
    find: (id) => store.find(kind, id),
    // Only called for tokens that end with a session, and ours do not.
    findByUid: async () => undefined,
    findByUserCode: (userCode) => store.findByUserCode(userCode),
    upsert: (id, payload, lifetime) => store.upsert(kind, id, payload, lifetime),
    /** The library has found it unused; of two requests that did so at the same time, this refuses one, and ends both. */
    async consume(id) {
      if (await store.consume(kind, id)) return;
      const used = await store.find(kind, id);
      if (used?.grantId !== undefined) await oauth.endMisused(used.grantId);
      throw new errors.InvalidGrant("already used");
    },
    /** At the token endpoint the library ends a connection only if a code or refresh token comes a second time. */
    async destroy(id) {
      if (kind === "Grant" && Provider.ctx?.oidc.route === "token") await oauth.endMisused(id);
      else await store.destroy(kind, id);
    },
    revokeByGrantId: (grantId) => store.revokeByGrantId(kind, grantId),
  };
}
