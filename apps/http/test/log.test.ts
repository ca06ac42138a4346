import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { linkOf, startApp } from "./client.ts";

const app = await startApp({ keyPrefix: "secretkey" });

/** The log lines of the requests in `act` */
async function linesOf(act: () => Promise<unknown>): Promise<Record<string, unknown>[]> {
  const before = app.log.length;
  await act();
  return app.log.slice(before).map((line) => JSON.parse(line) as Record<string, unknown>);
}

it("has one line for each request, with route, status and duration", async () => {
  const { key, account } = await app.key();
  const lines = await linesOf(async () => {
    // Probes are logged at level debug only.
    await app.ask("GET", "/health");
    await app.ask("GET", "/v1/links/some-id", {
      key,
      headers: { "X-Request-Id": "mine" },
      address: "192.0.2.1",
    });
    await app.ask("POST", "/v1/links", { body: "{" });
    await app.ask("GET", "/nothing");
    await app.ask("GET", "/trpc/users.me");
  });
  expect(
    lines.map(({ method, path, status }) => `${String(method)} ${String(path)} ${String(status)}`),
  ).toEqual([
    "GET /v1/links/some-id 404",
    "POST /v1/links 400",
    "GET /nothing 404",
    "GET /trpc/users.me 401",
  ]);
  expect(lines[0]).toEqual({
    level: "info",
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.+Z$/),
    msg: "request",
    request_id: "mine",
    method: "GET",
    path: "/v1/links/some-id",
    route: "/v1/links/:id",
    status: 404,
    duration_ms: expect.any(Number),
    account: account.id,
    address: "192.0.2.1",
  });
});

it("has one line for a batch", async () => {
  const { key } = await app.key();
  const lines = await linesOf(() =>
    app.ask("GET", "/trpc/users.me,links.list?batch=1&input=%7B%7D", { key }),
  );
  expect(lines).toMatchObject([{ path: "/trpc/users.me,links.list", status: 200 }]);
});

it("contains no key, cookie, password, destination or query string", async () => {
  const { key, account } = await app.key("enterprise");
  const { token } = await app.core.sessions.create(account.id);
  const secrets = ["https://example.com/secret-destination", "open-sesame-secret", "secret title"] as const;
  const [url, password, title] = secrets;
  const { json } = await app.ask("POST", "/v1/shared-reports", { key, json: { name: "For a colleague" } });
  const report = new URL((json as { data: { url: string } }).data.url);
  // Of many refusals of one network within a second, only the first ones have a line.
  let networks = 0;
  const elsewhere = () => ({ address: `198.51.${networks++}.1` });
  const ends = await linesOf(async () => {
    for (const credential of [
      { key },
      { cookie: token },
      { key: "secretkey_wrong" },
      { cookie: "secretcookie" },
    ]) {
      await app.ask("POST", "/v1/links", { ...credential, ...elsewhere(), json: { url, password, title } });
      await app.ask("POST", "/v1/links", {
        ...credential,
        ...elsewhere(),
        json: { url, password: [password], title: 7 },
      });
      await app.ask("GET", "/v1/links?search=secretsearch&page=secretpage", {
        ...credential,
        ...elsewhere(),
      });
      await app.ask("GET", "/v1/me?token=secrettoken", { ...credential, ...elsewhere() });
      await app.askTrpc("links.create", { url, password, title }, { ...credential, ...elsewhere() });
      await app.askTrpc("links.list", { search: "secretsearch" }, { ...credential, ...elsewhere() });
      await app.ask("POST", "/v1/keys", { ...credential, ...elsewhere() });
    }
    expect((await app.ask("GET", report.pathname)).status).toBe(200);
  });
  expect(ends).toHaveLength(29);
  const text = JSON.stringify(ends);
  const address = report.pathname.split("/").at(-1) ?? "";
  for (const secret of [key, token, ...secrets, key.slice(10), address]) expect(text).not.toContain(secret);
  expect(text.replaceAll("/reports/:secret", "")).not.toMatch(/secret|\?|\$/);
});

it("contains the cause of an internal error, without the data that caused it", async () => {
  let newId: () => string = randomUUID;
  let clock = () => new Date();
  const broken = await startApp({ newId: () => newId(), clock: () => clock() });
  const { key } = await broken.key("enterprise");
  const json = {
    url: "https://example.com/secret-destination",
    password: "secret-password",
    title: "secret title",
  };
  const link = linkOf(await broken.ask("POST", "/v1/links", { key, json: { url: "https://example.com/" } }));

  newId = () => "no-uuid"; // the database refuses both of these
  const creations = [
    await broken.ask("POST", "/v1/links", { key, json }),
    await broken.askTrpc("links.create", json, { key }),
    await broken.ask("POST", "/v1/keys", { key, json: { name: "secret name" } }),
  ];
  const now = clock();
  let calls = 0;
  clock = () => (++calls === 1 ? now : new Date(8e15)); // first for the credential; then a time that the database cannot store
  const change = await broken.ask("PUT", `/v1/links/${link.id}`, { key, json });
  for (const answer of [...creations, change]) {
    expect(answer.status, answer.text).toBe(500);
    expect(answer.text).toContain("Internal server error");
    expect(answer.text).not.toMatch(/uuid|syntax|links"|\.ts|select|insert/);
  }

  const failures = broken.log.filter((line) => line.includes('"level":"error"'));
  expect(failures).toHaveLength(4);
  for (const line of failures) {
    expect(JSON.parse(line)).toMatchObject({ status: 500, err: { stack: expect.any(String) } });
    expect(line).not.toContain(key);
    expect(line).not.toMatch(/secret|scrypt\$/);
  }
});
