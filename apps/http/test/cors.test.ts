import { expect, it } from "vitest";
import { startApp } from "./client.ts";

const app = await startApp();
const { key } = await app.key("pro");
const Origin = "https://page.example";

const preflight = (path: string, requested: string, method = "PUT") =>
  app.ask("OPTIONS", path, {
    headers: {
      Origin,
      "Access-Control-Request-Method": method,
      "Access-Control-Request-Headers": requested,
    },
  });

it("pages of any origin may ask whether they can call the API with a key", async () => {
  for (const path of ["/v1/links", "/v1/links/x", "/v1/unknown"]) {
    const { status, headers, text } = await preflight(path, "authorization,content-type");
    expect({ status, text }).toEqual({ status: 204, text: "" });
    expect(headers.get("access-control-allow-origin")).toBe("*");
    expect(headers.get("access-control-allow-methods")).toContain("PUT");
    expect(headers.get("access-control-allow-headers")).toContain("Authorization");
    expect(headers.get("access-control-max-age")).toBe("86400");
    expect(headers.has("access-control-allow-credentials")).toBe(false);
  }
});

it("they may not do so without a key, nor outside /v1", async () => {
  for (const refused of [
    await preflight("/v1/links", "content-type", "POST"),
    await preflight("/v1/links", "x-authorization", "POST"),
    await preflight("/trpc/links.create", "authorization", "POST"),
  ]) {
    expect(refused.status).toBe(405);
    expect(refused.headers.has("access-control-allow-origin")).toBe(false);
  }
});

it("answers to a key can be read, refusals too, and those to a cookie cannot", async () => {
  const { id } = await app.core.caller(await app.actor("pro")).links.create({ url: "https://example.com/" });
  for (const [path, status] of [
    ["/v1/links", 200],
    [`/v1/links/${id}`, 404],
    ["/v1/unknown", 404],
  ] as const) {
    const answer = await app.ask("GET", path, { key, headers: { Origin } });
    expect(answer.status).toBe(status);
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    expect(answer.headers.get("access-control-expose-headers")).toContain("X-Request-Id");
    expect(answer.headers.has("access-control-allow-credentials")).toBe(false);
    expect(answer.headers.has("vary")).toBe(false);
  }
  const { headers } = await app.ask("GET", "/v1/links", { cookie: "x", headers: { Origin } });
  expect(headers.has("access-control-allow-origin")).toBe(false);
});

it("what a browser may store says that it depends on the key", async () => {
  const account = await app.key("pro");
  const create = { key: account.key, json: { url: "https://example.com/" } };
  const { data } = (await app.ask("POST", "/v1/links", create)).json as { data: { id: string } };
  const { headers } = await app.ask("GET", `/v1/links/${data.id}/qr`, { key: account.key });
  expect(headers.get("vary")).toBe("Authorization");
});
