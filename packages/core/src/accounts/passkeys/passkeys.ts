import { isIP } from "node:net";
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";
import { inTransaction } from "../../db/connection.ts";
import { isUniqueViolation } from "../../db/errors.ts";
import { requireRecentSignIn } from "../../kernel/access.ts";
import { type Actor, type Person, type PersonalAccount, toPersonalAccount } from "../../kernel/context.ts";
import { type AppError, type ErrorCode, refusal, unauthenticated } from "../../kernel/errors.ts";
import { isId } from "../../kernel/validation/ids.ts";
import { parseOr400 } from "../../kernel/validation/issues.ts";
import { queueMail } from "../../mail/queue.ts";
import { emFor } from "../../rpc/call.ts";
import { tooMany } from "../../rpc/limits/counting.ts";
import { lockAccount } from "../../rpc/own-rows.ts";
import { type ActivityDeps, actorOf, clientOf, recordActivity, visitorActor } from "../activity/record.ts";
import type { AccountDeps } from "../call.ts";
import { accountSuspended } from "../workspaces/workspace.row.ts";
import { challengeMs, issueChallenge, type Purpose, redeemChallenge } from "./challenge.ts";
import { PasskeyEntity, passkeys, removePasskey } from "./passkey.row.ts";
import { assertionInput, creationInput, type Passkey, passkeyName, type Passkeys } from "./passkey.schema.ts";

type PasskeyDeps = ActivityDeps &
  Pick<AccountDeps, "orm" | "randomBytes" | "limits" | "refusals" | "baseUrl">;

/** Passkeys that an account may have. */
const most = 25;

/** EdDSA, ES256 and RS256, which every version of Node.js checks. */
const supportedAlgorithmIDs = [-8, -7, -257];

/** Loaded on first use: many services have no passkeys. */
const webAuthn = () => import("@simplewebauthn/server");
const webAuthnHelpers = () => import("@simplewebauthn/server/helpers");

/** Implements `Passkeys`. */
export function createPasskeys(deps: PasskeyDeps): Passkeys {
  const { origin, hostname: rpID, protocol } = new URL(deps.baseUrl);
  const expected = { expectedOrigin: origin, expectedRPID: rpID, requireUserVerification: true };

  async function limit(client: string): Promise<void> {
    const refused = await deps.limits.takeByClient("passkeys", client);
    if (refused !== null) throw tooMany(refused, "requests");
  }

  /** The challenge that the browser says it signed, if it was issued for this and never used. */
  async function challengeOf(clientDataJSON: string, purpose: Purpose, status: ErrorCode): Promise<string> {
    const { decodeClientDataJSON } = await webAuthnHelpers();
    const challenge = orNull(() => decodeClientDataJSON(clientDataJSON).challenge);
    if (challenge === null) throw refused(status, "invalid");
    if (!(await redeemChallenge(deps, purpose, challenge))) throw refused(status, "expired");
    return challenge;
  }

  return {
    isSupported: isIP(rpID.replace(/^\[|\]$/g, "")) === 0 && (protocol === "https:" || isLocal(rpID)),

    async signInOptions(client, again) {
      await limit(client);
      const person = again && personOf(again);
      const own = person && (await credentialsOf(deps, person.id));
      const { generateAuthenticationOptions } = await webAuthn();
      const challenge = await issueChallenge(deps, person ? `again ${person.id}` : "sign-in");
      return asJson(
        await generateAuthenticationOptions({
          rpID,
          challenge: Buffer.from(challenge, "base64url"),
          timeout: challengeMs,
          userVerification: "required",
          ...(own && { allowCredentials: own }),
        }),
      );
    },

    async signIn(client, given, { source, again }) {
      await limit(client);
      const response = parseOr400(assertionInput, given);
      const person = again && personOf(again);
      try {
        const purpose = person ? (`again ${person.id}` as const) : "sign-in";
        const challenge = await challengeOf(response.response.clientDataJSON, purpose, "UNAUTHORIZED");
        const found = await findPasskey(deps, response.id);
        if (!found || (person && person.id !== found.id)) throw refused("UNAUTHORIZED", "unknown");
        const counter = await verify(response, found, challenge);
        if (!(await use(deps, found.passkey, counter))) {
          const visitor = visitorActor(found.id, source);
          await recordActivity(deps, visitor, "sign_in_refused", "the passkey may have been copied");
          throw refused("UNAUTHORIZED", "counter");
        }
        if (found.suspended) {
          const visitor = visitorActor(found.id, source);
          await recordActivity(deps, visitor, "sign_in_refused", "the account is suspended");
          throw accountSuspended();
        }
        return toPersonalAccount(found);
      } catch (error) {
        deps.refusals.report("passkey", error instanceof Error ? error.message : "", source);
        throw error;
      }
    },

    async addOptions(actor) {
      const person = requireOwner(deps, actor);
      await limit(person.id);
      const { generateRegistrationOptions } = await webAuthn();
      return asJson(
        await generateRegistrationOptions({
          rpName: "Terse",
          rpID,
          userID: handleOf(person.id),
          userName: person.email,
          userDisplayName: person.name,
          challenge: Buffer.from(await issueChallenge(deps, `add ${person.id}`), "base64url"),
          timeout: challengeMs,
          attestationType: "none",
          excludeCredentials: await credentialsOf(deps, person.id),
          authenticatorSelection: { residentKey: "required", userVerification: "required" },
          supportedAlgorithmIDs,
        }),
      );
    },

    async add(actor, given, givenName) {
      const person = requireOwner(deps, actor);
      const response = parseOr400(creationInput, given);
      const place = clientOf(actor.kind === "account" ? actor.source : undefined);
      const name = givenName === undefined ? (place.client ?? "Passkey") : parseOr400(passkeyName, givenName);
      const purpose = `add ${person.id}` as const;
      const challenge = await challengeOf(response.response.clientDataJSON, purpose, "BAD_REQUEST");
      const made = await verifyNew(response, challenge);
      const added = await insert(deps, person.id, { ...made, name }, place);
      await recordActivity(deps, actorOf({ account: person, actor }), "passkey_added", name);
      return added;
    },

    list: async (accountId) => (isId(accountId) ? passkeys.list({ em: emFor(deps, accountId) }) : []),
    remove: (id) => removePasskey(deps, id),
  };

  /** Returns the counter of a use, which is 0 if the device does not count. */
  async function verify(response: Assertion, found: Found, expectedChallenge: string): Promise<number> {
    const { userHandle } = response.response;
    const isOwn = !userHandle || Buffer.from(userHandle, "base64url").equals(handleOf(found.id));
    if (!isOwn) throw refused("UNAUTHORIZED", "unknown");
    const { verifyAuthenticationResponse } = await webAuthn();
    // The statement that stores the use compares the counter, since two uses may come at once.
    const credential = { id: response.id, publicKey: new Uint8Array(found.public_key), counter: 0 };
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      ...expected,
      response: { ...response, clientExtensionResults: {} } as AuthenticationResponseJSON,
      expectedChallenge,
      credential,
    }).catch(() => ({ verified: false, authenticationInfo: null }));
    if (!verified || !authenticationInfo) throw refused("UNAUTHORIZED", "invalid");
    return authenticationInfo.newCounter;
  }

  async function verifyNew(response: Creation, expectedChallenge: string): Promise<New> {
    const { verifyRegistrationResponse } = await webAuthn();
    const refuse = () => refused("BAD_REQUEST", "invalid");
    // Other attestations name certificates, whose lists of revocations would be fetched from wherever they say.
    if (!(await isUnattested(response.response.attestationObject))) throw refuse();
    const { registrationInfo } = await verifyRegistrationResponse({
      ...expected,
      response: { ...response, clientExtensionResults: {} } as RegistrationResponseJSON,
      expectedChallenge,
      supportedAlgorithmIDs,
    }).catch(() => ({ registrationInfo: undefined }));
    if (!registrationInfo) throw refuse();
    const { credential, credentialBackedUp: synced } = registrationInfo;
    const { id, publicKey, counter } = credential;
    return {
      credential_id: Buffer.from(id, "base64url"),
      public_key: Buffer.from(publicKey),
      counter,
      transports: response.response.transports ?? [],
      synced,
    };
  }
}

type Assertion = ReturnType<typeof assertionInput.parse>;
type Creation = ReturnType<typeof creationInput.parse>;
type New = {
  credential_id: Buffer;
  public_key: Buffer;
  counter: number;
  transports: string[];
  synced: boolean;
};
type Found = PersonalAccount & { passkey: string; public_key: Buffer; suspended: boolean };

const isLocal = (host: string) => host === "localhost" || host.endsWith(".localhost");

/** The id by which devices know a person: nothing of it can be read from there. */
const handleOf = (personId: string) => new Uint8Array(Buffer.from(personId.replaceAll("-", ""), "hex"));

const asJson = (options: object) => ({ ...options });

/** Why a passkey is refused; `reason` is for translations. */
const refused = (
  status: ErrorCode,
  reason: "unknown" | "invalid" | "expired" | "counter" | "taken",
): AppError => refusal(status, "", "passkey_refused", sentences[reason], { reason });

const sentences = {
  unknown: "This passkey does not belong to an account here; it may have been removed",
  invalid: "The passkey was not accepted: it is for another address, or its device did not check who uses it",
  expired: "The passkey was not accepted: that took longer than five minutes, or was sent twice; try again",
  counter: "The passkey was not accepted: it was used elsewhere since, as if it had been copied; remove it",
  taken: "This passkey belongs to an account already",
};

function personOf(actor: Actor): Person {
  if (actor.kind !== "account" || !actor.user) throw unauthenticated();
  return actor.user;
}

/** The person of a session, who may get a passkey, which outlives the session. */
function requireOwner(deps: PasskeyDeps, actor: Actor): Person {
  if (actor.kind === "account" && actor.credential === "key") {
    const message = "An API key cannot add a passkey: sign in instead";
    throw refusal("FORBIDDEN", "", "credential_refused", message, { credential: "key" });
  }
  requireRecentSignIn(actor, deps.clock(), "add a passkey");
  return personOf(actor);
}

async function credentialsOf(deps: PasskeyDeps, accountId: string) {
  const own = await emFor(deps, accountId).find(PasskeyEntity, {});
  return own.map(({ credential_id, transports }) => ({
    id: Buffer.from(credential_id).toString("base64url"),
    transports,
  }));
}

async function findPasskey({ pool }: PasskeyDeps, credentialId: string): Promise<Found | undefined> {
  const { rows } = await pool.query<Found>(
    `select p.id as passkey, p.public_key, u.id, u.email, u.name, u.plan, u.suspended_at is not null as suspended
     from passkeys p join workspaces u on u.id = p.account_id where p.credential_id = $1`,
    [Buffer.from(credentialId, "base64url")],
  );
  return rows[0];
}

/** Stores a use. False if its counter is not above that of the last one: the key exists twice. */
async function use({ pool, clock }: PasskeyDeps, id: string, counter: number): Promise<boolean> {
  const { rowCount } = await pool.query(
    `update passkeys set counter = $2, last_used_at = $3
     where id = $1 and (counter < $2 or (counter = 0 and $2 = 0))`,
    [id, counter, clock()],
  );
  return rowCount === 1;
}

/** Whether nobody, or only the passkey itself, attests what device it is on. */
async function isUnattested(attestationObject: string): Promise<boolean> {
  const { decodeAttestationObject } = await webAuthnHelpers();
  const attestation = orNull(() => {
    const decoded = decodeAttestationObject(new Uint8Array(Buffer.from(attestationObject, "base64url")));
    return { format: decoded.get("fmt"), hasCertificates: decoded.get("attStmt").get("x5c") !== undefined };
  });
  return attestation?.format === "none" || (attestation?.format === "packed" && !attestation.hasCertificates);
}

/** What is read from bytes that may be anything. */
function orNull<Read>(read: () => Read): Read | null {
  try {
    return read();
  } catch {
    return null;
  }
}

async function insert(
  deps: PasskeyDeps,
  accountId: string,
  made: New & { name: string },
  place: ReturnType<typeof clientOf>,
): Promise<Passkey> {
  try {
    return await inTransaction({ deps, em: emFor(deps, accountId) }, async (database, em) => {
      // Two at once would both find room.
      if (!(await lockAccount(database, accountId))) throw unauthenticated();
      if ((await em.count(PasskeyEntity)) >= most) {
        const message = `An account has at most ${most} passkeys: remove one to add another`;
        throw refusal("FORBIDDEN", "", "limit_reached", message, { max: most, resource: "passkeys" });
      }
      const id = deps.newId();
      const now = deps.clock();
      await em.insert(PasskeyEntity, { ...made, id, account_id: accountId, created_at: now });
      const notice = { event: "passkey_added", about: made.name, at: now.toISOString(), ...place } as const;
      const data = { ...notice, path: "/settings/sign-in" };
      await queueMail(database, deps, { person: accountId }, { kind: "security", data });
      return await passkeys.get({ em }, id);
    });
  } catch (error) {
    if (isUniqueViolation(error)) throw refused("CONFLICT", "taken");
    throw error;
  }
}
