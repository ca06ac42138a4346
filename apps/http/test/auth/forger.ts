import { createSign, generateKeyPairSync } from "node:crypto";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { OAuthProvider } from "@terse/server";
import { afterAll } from "vitest";

type Json = Record<string, unknown>;

/** An OpenID provider that can be made to answer anything, validly signed or not */
export interface Forger {
  settings: OAuthProvider;
  issuer: string;
  /** Claims of the next ID tokens that override valid ones; undefined removes one */
  claims: Json;
  /** What userinfo answers: claims, or, with `jwt`, a signed token of them; null for nothing */
  userinfo: { claims: Json; jwt?: boolean } | null;
  /** Overrides of the discovery document */
  metadata: Json;
  /** What the token endpoint answers instead of tokens */
  refusal: { status: number; body: Json } | null;
  /** Breaks the signature of ID tokens */
  badSignature: boolean;
  /** Requests so far, by path */
  requests: Record<string, number>;
  /** What the last token request carried */
  tokenRequest: URLSearchParams;
  /** Grants a code for an authorization request, as the provider would after asking the person. */
  approve(authorization: URL, more?: Record<string, string>): URL;
  /** Restores valid answers. */
  reset(): Promise<void>;
  /** Refuses connections, hangs or answers 500, until called with null. */
  away(how: "gone" | "hangs" | "broken" | null): Promise<void>;
}

const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const base64 = (value: Json) => Buffer.from(JSON.stringify(value)).toString("base64url");

export async function startForger(name = "forger"): Promise<Forger> {
  let how: "gone" | "hangs" | "broken" | null = null;
  const nonces = new Map<string, string>();
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", forger.issuer);
    forger.requests[pathname] = (forger.requests[pathname] ?? 0) + 1;
    if (how === "broken") response.writeHead(500).end("<h1>broken</h1>");
    if (how !== null) return;
    let body = "";
    request.on("data", (text: Buffer) => (body += text.toString()));
    request.on("end", () => answer(pathname, new URLSearchParams(body), response));
  });
  const port = await new Promise<number>((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
  });
  const issuer = `http://127.0.0.1:${port}`;
  afterAll(() => forger.away("gone"));

  function answer(pathname: string, form: URLSearchParams, response: ServerResponse): void {
    const json = (value: Json, status = 200) =>
      void response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(value));
    if (pathname === "/.well-known/openid-configuration") {
      return json({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
        ...forger.metadata,
      });
    }
    if (pathname === "/jwks") {
      return json({ keys: [{ ...publicKey.export({ format: "jwk" }), kid: "k", alg: "RS256", use: "sig" }] });
    }
    if (pathname === "/userinfo" && forger.userinfo) {
      const { claims, jwt = false } = forger.userinfo;
      if (!jwt) return json(claims);
      return void response.writeHead(200, { "Content-Type": "application/jwt" }).end(signed(claims));
    }
    if (pathname !== "/token") return json({}, 404);
    forger.tokenRequest = form;
    if (forger.refusal) return json(forger.refusal.body, forger.refusal.status);
    const code = form.get("code") ?? "";
    const nonce = nonces.get(code);
    if (nonce === undefined) return json({ error: "invalid_grant" }, 400);
    nonces.delete(code);
    const now = Math.floor(Date.now() / 1000);
    const claims = { iss: issuer, aud: "terse", sub: "1", nonce, iat: now, exp: now + 60, ...forger.claims };
    json({ access_token: "a", token_type: "Bearer", expires_in: 60, id_token: signed(claims) });
  }

  function signed(claims: Json): string {
    const text = `${base64({ alg: "RS256", kid: "k" })}.${base64(claims)}`;
    const signature = createSign("sha256")
      .update(forger.badSignature ? `${text}x` : text)
      .sign(privateKey, "base64url");
    return `${text}.${signature}`;
  }

  const forger: Forger = {
    settings: { name, issuer, clientId: "terse", clientSecret: "s3cret &+%" },
    issuer,
    ...honest(),
    tokenRequest: new URLSearchParams(),
    approve(authorization, more = {}) {
      const { searchParams } = authorization;
      const code = `code-${nonces.size}-${Math.random()}`;
      nonces.set(code, searchParams.get("nonce") ?? "");
      const callback = new URL(searchParams.get("redirect_uri") ?? "");
      const answers = { code, state: searchParams.get("state") ?? "", ...more };
      for (const [key, value] of Object.entries(answers)) callback.searchParams.set(key, value);
      return callback;
    },
    reset() {
      Object.assign(forger, honest());
      return forger.away(null);
    },
    async away(next) {
      how = next;
      if (next === "gone") server.closeAllConnections();
      if (next === "gone") await new Promise((resolve) => server.close(resolve));
      else if (!server.listening) await new Promise<void>((done) => server.listen(port, "127.0.0.1", done));
    },
  };
  return forger;
}

/** Answers of a provider that forges nothing. */
const honest = () => ({
  claims: {},
  userinfo: null,
  metadata: {},
  refusal: null,
  badSignature: false,
  requests: {},
});
