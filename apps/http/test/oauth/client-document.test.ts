import { describe, expect, it } from "vitest";
import { startApp } from "../client.ts";
import { allow, ask, callback, mcp, program, signedIn } from "./program.ts";
import { startProgramSite } from "./program-site.ts";

const { host, base, asked, pages, publish, dnsServers, outboundNetworks } = await startProgramSite();
const app = await startApp({ dnsServers, outboundNetworks });
const guarded = await startApp({ dnsServers });
/** Another service, because few documents are read for a client in a minute, and its reader */
const another = async () => {
  const other = await startApp({ dnsServers, outboundNetworks });
  return [other, await signedIn(other, await other.account("pro"))] as const;
};
const [careful, reader] = await another();
const [strict, victim] = await another();
const person = await signedIn(app, await app.account("pro"));

it("a program is known by the document at its id, which is read once in a while", async () => {
  const id = publish("/client.json", { scope: "everything", logo_uri: "http://10.0.0.1/logo.png" });
  const test = program(app, id);
  const page = await ask(person, test.request().url);
  expect(page.text).toContain("Published");
  const { access_token } = await test.connect(person);
  expect(await app.core.credentials.byToken(access_token, mcp)).not.toBeNull();
  expect(asked.filter(({ path }) => path === "/client.json")).toHaveLength(1);
});

describe("the page says where the answer goes", () => {
  const publisher = new URL(base).host;
  const shown = async (redirect_uri: string) => {
    const id = publish("/shown.json", { redirect_uris: [redirect_uri] });
    // Another id each time, because documents are remembered.
    const own = `${id}?${encodeURIComponent(redirect_uri)}`;
    publish(own.slice(base.length), { client_id: own, redirect_uris: [redirect_uri] });
    const { status, text } = await ask(reader, program(careful, own).request({ redirect_uri }).url);
    expect(status).toBe(200);
    return text;
  };

  it("to the host that describes the program, without a warning", async () => {
    const text = await shown(`${base}/callback`);
    expect(text).toContain(`It belongs to <strong>${publisher}</strong>, and your answer goes there.`);
    expect(text).not.toContain('warning"');
  });

  it.each([
    ["another host", "https://attacker.example/callback", "attacker.example"],
    ["another port of the host", `https://${host}:1/callback`, `${host}:1`],
    ["a program of the user's machine", callback, "a program on your own computer"],
    ["an app", "com.attacker.app:/callback", "com.attacker.app:"],
  ])("to %s, with a warning", async (_, uri, where) => {
    const text = await shown(uri);
    expect(text).toContain('warning"');
    expect(text).toContain(
      `Its description comes from <strong>${publisher}</strong>, but your answer does not go there.`,
    );
    expect(text).toContain(`Your answer goes to <strong>${where}</strong>`);
    expect(text).not.toContain("It belongs to");
  });
});

it("a document says where answers go, and nothing else counts", async () => {
  const id = publish("/elsewhere.json", { redirect_uris: ["https://program.example/callback"] });
  expect((await ask(person, program(app, id).request().url)).status).toBe(400);
  const right = program(app, id).request({ redirect_uri: "https://program.example/callback" });
  expect((await allow(person, right.url)).host).toBe(host);
});

it.each<[string, () => string]>([
  ["another id in it", () => publish("/other.json", { client_id: `${base}/client.json` })],
  ["a secret", () => publish("/secret.json", { client_secret: "s" })],
  [
    "a way to prove itself by a secret",
    () => publish("/post.json", { token_endpoint_auth_method: "client_secret_post" }),
  ],
  ["no addresses", () => publish("/none.json", { redirect_uris: [] })],
  ["no document", () => `${base}/missing.json`],
  [
    "a document elsewhere",
    () => {
      const to = publish("/target.json");
      pages["/moved.json"] = (_, response) => void response.writeHead(302, { location: to }).end();
      return `${base}/moved.json`;
    },
  ],
  ["ten megabytes", () => publish("/large.json", { filler: "x".repeat(10_000_000) })],
  [
    "text",
    () => {
      pages["/text.json"] = (_, response) => void response.end("<!doctype html>");
      return `${base}/text.json`;
    },
  ],
  ["a user in its id", () => base.replace("https://", "https://user@")],
  [
    "JSON that is called text",
    () => {
      const id = publish("/called-text.json");
      pages["/called-text.json"] = (_, response) =>
        void response
          .writeHead(200, { "Content-Type": "text/plain" })
          .end(JSON.stringify({ client_id: id, redirect_uris: [callback] }));
      return id;
    },
  ],
  [
    "a user name in an address",
    () => publish("/user.json", { redirect_uris: [callback, "https://docs.example@attacker.example/"] }),
  ],
  ["no https", () => publish("/plain.json").replace("https:", "http:")],
])("a program with %s cannot be connected", async (_, make) => {
  const page = await ask(victim, program(strict, make()).request().url);
  expect([page.status, page.location]).toEqual([400, null]);
  expect(page.text).toContain("cannot be connected");
});

it("no document is read from a private network", async () => {
  const before = asked.length;
  const visitor = await signedIn(guarded, await guarded.account("pro"));
  const port = new URL(base).port;
  for (const id of [
    publish("/inside.json"),
    `https://127.0.0.1:${port}/inside.json`,
    `https://[::1]:${port}/inside.json`,
  ])
    expect((await ask(visitor, program(guarded, id).request().url)).status).toBe(400);
  expect(asked.length).toBe(before);
  expect(guarded.log.join("")).toContain("the description of a client cannot be read");
});

it("a document that does not come in time is given up", { tags: ["long"] }, async () => {
  pages["/slow.json"] = (_, response) => void response.write("{");
  const page = await ask(person, program(app, `${base}/slow.json`).request().url);
  expect(page.status).toBe(400);
});
