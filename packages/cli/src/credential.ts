import { type Credential, NotSignedIn } from "./command.ts";
import { read, slotOf, type Tokens, update, withCredential } from "./config.ts";

/**
 * What opens a service: TERSE_KEY, else the key that is stored for it, else the tokens for `resource`, which is the API unless it
 * is given.
 */
export function credentialFor(
  env: NodeJS.ProcessEnv,
  url: string,
  resource: string = url,
): Credential | undefined {
  const { TERSE_KEY: given } = env;
  if (given) return async () => given;
  const { keys, tokens } = read(env);
  const key = keys?.[slotOf(env, url)];
  if (key !== undefined) return async () => key;
  const slot = slotOf(env, resource);
  return tokens?.[slot] && (() => accessToken(env, slot));
}

const isValid = ({ expires }: Tokens) => Date.now() < expires;

/**
 * Renews the tokens if they have ended. A refresh token works once, and a second use would end the sign-in: so one process renews
 * them, and the others find the new ones.
 */
async function accessToken(env: NodeJS.ProcessEnv, slot: string): Promise<string> {
  const current = read(env).tokens?.[slot];
  if (current && isValid(current)) return current.access;
  const { tokens } = await update(env, async (stored) => {
    const held = stored.tokens?.[slot];
    if (!held || isValid(held)) return stored;
    const { renewed } = await import("./oauth.ts");
    return withCredential(stored, slot, { token: await renewed(held) });
  });
  const token = tokens?.[slot];
  if (!token) throw new NotSignedIn(`Not signed in to ${slot}`);
  return token.access;
}
