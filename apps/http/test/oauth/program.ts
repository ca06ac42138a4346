import { createHash, randomBytes } from "node:crypto";
import type { Account } from "@terse/core";
import { baseUrl, type TestApp } from "../client.ts";
import { createVisitor, type Visit, type Visitor } from "../auth/visitor.ts";

export const mcp = "http://mcp.test/mcp";
export const callback = "http://127.0.0.1:8912/callback";
export const allScopes = "links:read links:write analytics:read buckets";

export interface Tokens {
  access_token: string;
  refresh_token: string;
  token_type: string;
  expires_in: number;
  scope: string;
}

/** A program that signs its user in, as they do: by hand, so that tests can do each step wrong. */
export interface Program {
  clientId: string;
  /** The parameters of a right request; those that are given replace them, and undefined leaves one out */
  request(changed?: Record<string, string | undefined>): { url: string; verifier: string; state: string };
  /** Exchanges something at the token endpoint. */
  token(form: Record<string, string | undefined>): Promise<{ status: number; json: Record<string, unknown> }>;
  redeem(
    code: string,
    verifier: string,
    changed?: Record<string, string | undefined>,
  ): ReturnType<Program["token"]>;
  refresh(token: string, changed?: Record<string, string | undefined>): ReturnType<Program["token"]>;
  /** The whole way, with a person who allows it. */
  connect(person: Visitor, changed?: Record<string, string | undefined>): Promise<Tokens>;
}

const fieldsOf = (all: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as Record<
    string,
    string
  >;

let clients = 0;
/** Another client each time, because each can do little in a minute */
const newAddress = () => `198.51.${(clients += 1) >> 8}.${clients & 255}`;

/** The answer to a program, which is never a page. */
export async function post(
  app: TestApp,
  path: string,
  body: string,
  type: string,
  address: string = newAddress(),
) {
  const response = await app.ask("POST", path, {
    body,
    headers: { "Content-Type": type, Accept: "application/json" },
    address,
  });
  return { ...response, json: (response.json ?? {}) as Record<string, unknown> };
}

export const register = (app: TestApp, description: object, address?: string) =>
  post(app, "/oauth/register", JSON.stringify(description), "application/json", address);

export function program(app: TestApp, clientId: string): Program {
  const token: Program["token"] = (form) =>
    post(
      app,
      "/oauth/token",
      new URLSearchParams(fieldsOf({ client_id: clientId, ...form })).toString(),
      "application/x-www-form-urlencoded",
    );
  const made: Program = {
    clientId,
    request(changed = {}) {
      const verifier = randomBytes(32).toString("base64url");
      const state = randomBytes(8).toString("hex");
      const parameters = fieldsOf({
        client_id: clientId,
        redirect_uri: callback,
        response_type: "code",
        scope: allScopes,
        state,
        code_challenge: createHash("sha256").update(verifier).digest("base64url"),
        code_challenge_method: "S256",
        resource: mcp,
        ...changed,
      });
      return { url: `/oauth/authorize?${new URLSearchParams(parameters).toString()}`, verifier, state };
    },
    token,
    redeem: (code, verifier, changed = {}) =>
      token({
        grant_type: "authorization_code",
        code,
        code_verifier: verifier,
        redirect_uri: callback,
        resource: mcp,
        ...changed,
      }),
    refresh: (refresh_token, changed = {}) =>
      token({ grant_type: "refresh_token", refresh_token, ...changed }),
    async connect(person, changed = {}) {
      const { url, verifier } = made.request(changed);
      const { searchParams } = await allow(person, url);
      const { status, json } = await made.redeem(searchParams.get("code") ?? "", verifier, {
        resource: changed["resource"] ?? mcp,
      });
      if (status !== 200) throw new Error(JSON.stringify(json));
      return json as unknown as Tokens;
    },
  };
  return made;
}

/** A program that has registered itself. */
export async function registered(app: TestApp, description: object = {}): Promise<Program> {
  const { status, json } = await register(app, {
    client_name: "Test program",
    redirect_uris: [callback],
    ...description,
  });
  if (status !== 201) throw new Error(JSON.stringify(json));
  return program(app, String(json["client_id"]));
}

/** A browser that an account has just signed in with. */
export async function signedIn(app: TestApp, account: Account): Promise<Visitor> {
  const visitor = createVisitor(app);
  const { token } = await app.core.sessions.create(account.id);
  visitor.cookies.set("session", token);
  return visitor;
}

/** Follows an authorization request to the page that asks. */
export const ask = (person: Visitor, url: string): Promise<Visit> =>
  person.follow(url, (to) => to.origin !== baseUrl);

/** Answers the page as its form does; returns where the browser is sent in the end. */
export async function answer(
  person: Visitor,
  page: Visit,
  changed: { decision?: string; scopes?: string[]; account?: string; headers?: Record<string, string> } = {},
): Promise<Visit> {
  const scopes =
    changed.scopes ??
    Array.from(page.text.matchAll(/name="scope" value="([^"]+)"/g), ([, scope = ""]) => scope);
  const [, account = ""] = /name="account" value="([^"]+)"/.exec(page.text) ?? [];
  const form = new URLSearchParams({
    decision: changed.decision ?? "allow",
    account: changed.account ?? account,
    workspace: account,
  });
  for (const scope of scopes) form.append("scope", scope);
  let at = await person.post(page.url, form as never, changed.headers);
  while (at.location?.origin === baseUrl) at = await person.get(at.location);
  return at;
}

/** Goes to the page and allows everything; returns the address that the program gets its answer at. */
export async function allow(person: Visitor, url: string): Promise<URL> {
  const { location, text } = await answer(person, await ask(person, url));
  if (!location) throw new Error(text);
  return location;
}
