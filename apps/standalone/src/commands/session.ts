import type { Invocation } from "@terse/cli";
import { readConfig } from "../config.ts";
import { makeLoginUrl } from "../login-link.ts";
import { runAdmin } from "../run-admin.ts";
import { accountByEmail, accountNamed } from "./account.ts";

/** {url, email, expires_at} */
export const loginLink = (call: Invocation): Promise<void> =>
  runAdmin(async (core) => {
    const account = await accountByEmail(core, call);
    const { url, expires_at } = await makeLoginUrl(core, readConfig(), account);
    return { url, email: account.email, expires_at };
  });

/** {id, token, cookie, expires_at}; `cookie` is the value of a Cookie header */
export const create = (call: Invocation): Promise<void> =>
  runAdmin(async (core) => {
    const account = await accountByEmail(core, call);
    const { id, token, expires_at } = await core.sessions.create(account.id);
    return { id, token, cookie: `session=${token}`, expires_at };
  });

/** {ended} */
export const end = (call: Invocation): Promise<void> =>
  runAdmin(async (core) => ({
    ended: await core.sessions.endAll((await accountNamed(core, call)).id),
  }));
