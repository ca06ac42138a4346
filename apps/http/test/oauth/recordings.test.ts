import { expect, it } from "vitest";
import { startApp } from "../client.ts";
import type { Visitor } from "../auth/visitor.ts";
import { allow, answer, callback, mcp, type Program, program, signedIn } from "./program.ts";
import { startProgramSite } from "./program-site.ts";

/** sign-ins.snapshot.md is what this test sees: `npm test -- --project http oauth/recordings -u` writes it. */

const { base, asked, publish, ...options } = await startProgramSite();
const app = await startApp(options);
const lines: string[] = [];
/** Values that differ each time, and what stands for them */
const names = new Map<string, string>();
const site = "https://program.example";
const say = (text: string) => void lines.push(text, "");

function hide(text: string): string {
  return Array.from(names).reduce((hidden, [value, name]) => hidden.replaceAll(value, name), text);
}

const secrets = ["client_id", "access_token", "refresh_token", "device_code", "user_code"];

/** Makes a request as a program does, and writes down both sides. */
async function record(
  method: "GET" | "POST",
  path: string,
  body?: object | URLSearchParams,
  shown?: (json: Record<string, unknown>) => object,
) {
  const isForm = body instanceof URLSearchParams;
  const type = isForm ? "application/x-www-form-urlencoded" : "application/json";
  const text = isForm ? body.toString() : body && JSON.stringify(body);
  const { status, json } = await app.ask(method, path, {
    ...(text !== undefined && { body: text, headers: { "Content-Type": type } }),
  });
  const found = (json ?? {}) as Record<string, unknown>;
  for (const name of secrets) {
    const value = found[name];
    if (typeof value === "string" && value !== "terse-cli" && !names.has(value))
      names.set(value, `<${[...names.values()].includes(`<${name}>`) ? `next_${name}` : name}>`);
  }
  const sent = isForm
    ? Array.from(body, ([name, value], at) => `${at === 0 ? "" : "&"}${name}=${value}`).join("\n")
    : body && JSON.stringify(body, null, 2);
  const got = json === undefined ? "" : `\n${JSON.stringify(shown?.(found) ?? found, null, 2)}`;
  say("```http");
  lines.pop();
  lines.push(hide([`${method} ${path}`, ...(sent ? [`Content-Type: ${type}`, "", sent] : [])].join("\n")));
  lines.push("```", "", "```", hide(`${status}${got}`), "```", "");
  return found as Record<string, string>;
}
const form = (fields: Record<string, string>) => new URLSearchParams(fields);

/** Writes down how a program gets its tokens: by the address that it opens in its user's browser. `sayMore` follows that. */
async function recordSignIn(
  { clientId, request }: Program,
  person: Visitor,
  redirect_uri: string,
  sayMore = () => {},
) {
  const { url, verifier, state } = request({ redirect_uri });
  const { searchParams } = new URL(url, mcp);
  names.set(searchParams.get("code_challenge") ?? "", "<SHA-256 of the verifier>");
  names.set(verifier, "<verifier>");
  names.set(state, "<state>");
  say("It opens this address in its user's browser:");
  say(
    `\`\`\`http\nGET /oauth/authorize\n${hide(Array.from(searchParams, ([name, value], at) => `${at === 0 ? "?" : "&"}${name}=${value}`).join("\n"))}\n\`\`\``,
  );
  const back = await allow(person, url);
  sayMore();
  const code = back.searchParams.get("code") ?? "";
  names.set(code, "<code>");
  say("The user signs in and allows it. The browser comes back:");
  say(`\`\`\`http\nGET ${hide(decodeURIComponent(back.href)).replaceAll(/([?&])/g, "\n$1")}\n\`\`\``);
  return record(
    "POST",
    "/oauth/token",
    form({
      grant_type: "authorization_code",
      client_id: clientId,
      code,
      code_verifier: verifier,
      redirect_uri,
      resource: mcp,
    }),
  );
}

it("writes down three sign-ins, a renewal and an end, request by request", async () => {
  const person = await signedIn(app, await app.account("enterprise"));
  names.set(base, site);
  say("# Sign-ins, request by request");
  say(
    "What programs send to `BASE_URL` to sign their user in, and what they get, as a test recorded it. Values in angle brackets differ\neach time. [The guide](../../../../docs/assistants.md#for-authors-of-clients) has the rules.",
  );

  say("## A hosted assistant");
  say(
    "It called the MCP server without a credential, and got 401 with the address of the metadata of the MCP server, which names this\nauthorization server.",
  );
  await record("GET", "/.well-known/oauth-authorization-server", undefined, (json) => ({
    ...Object.fromEntries(Object.entries(json).filter(([, value]) => typeof value === "string")),
    client_id_metadata_document_supported: json["client_id_metadata_document_supported"],
    "…": "…",
  }));
  const document = { client_name: "Hosted assistant", redirect_uris: [`${base}/callback`] };
  const id = publish("/client.json", document);
  say("Its `client_id` is the address of a document that describes it, so it need not register.");
  await recordSignIn(program(app, id), person, `${base}/callback`, () => {
    const [request] = asked;
    const headers = ["accept", "user-agent"].map((name) => `${name}: ${String(request?.headers[name])}`);
    say(
      "Terse reads the document, and keeps it for a while. It asks only hosts on the internet, and follows no redirect.",
    );
    say(["```http", `GET ${site}${request?.path}`, ...headers, "```"].join("\n"));
    say(`\`\`\`\n200\n${hide(JSON.stringify({ client_id: id, ...document }, null, 2))}\n\`\`\``);
  });
  say("It calls the MCP server with `Authorization: Bearer <access_token>`.");

  say("## An assistant on its user's machine");
  names.clear();
  say("It reads the same metadata. It has no address at which it could publish a document, so it registers.");
  const registered = await record(
    "POST",
    "/oauth/register",
    { client_name: "Assistant", redirect_uris: [callback] },
    ({ client_id, client_name, redirect_uris, grant_types, token_endpoint_auth_method }) => ({
      client_id,
      client_name,
      redirect_uris,
      grant_types,
      token_endpoint_auth_method,
      "…": "…",
    }),
  );
  const assistant = program(app, registered["client_id"] ?? "");
  const { refresh_token = "" } = await recordSignIn(assistant, person, callback);
  say(
    "It calls the MCP server with `Authorization: Bearer <access_token>`. After an hour it renews the token:",
  );
  const renewal = form({ grant_type: "refresh_token", client_id: assistant.clientId, refresh_token });
  await record("POST", "/oauth/token", renewal);
  say(
    "The refresh token that it used works no longer. Sending it again ends the connection, because it may have been stolen:",
  );
  await record("POST", "/oauth/token", renewal);

  say("## The command line");
  say("`terse login` asks for a code, and says where its user types it.");
  names.clear();
  const api = "http://api.test";
  const device = await record(
    "POST",
    "/oauth/device",
    form({ client_id: "terse-cli", resource: api, scope: "links:read links:write analytics:read account" }),
  );
  say("It asks every five seconds whether the user has allowed it.");
  const poll = form({
    grant_type: "urn:ietf:params:oauth:grant-type:device_code",
    client_id: "terse-cli",
    device_code: device["device_code"] ?? "",
  });
  await record("POST", "/oauth/token", poll);
  const page = await person.get(device["verification_uri_complete"] ?? "");
  const [, xsrf = ""] = /name="xsrf" value="(\w+)"/.exec(page.text) ?? [];
  const { location } = await person.post("/device", { xsrf, user_code: device["user_code"] ?? "" });
  await answer(person, await person.get(location ?? ""));
  say("The user opens the address, compares the code, signs in and allows it.");
  const tokens = await record("POST", "/oauth/token", poll);
  say("`terse logout` ends the connection, whichever of its tokens it sends.");
  await record(
    "POST",
    "/oauth/revoke",
    form({ client_id: "terse-cli", token: tokens["refresh_token"] ?? "" }),
  );

  await expect(`${lines.join("\n").trim()}\n`).toMatchFileSnapshot("sign-ins.snapshot.md");
});
