import { expect, it } from "vitest";
import { startApp } from "./client.ts";
import { seedAccount } from "./seeded-account.ts";

const app = await startApp();

it("serves a link's QR code as SVG, without the envelope", async () => {
  const { key, link } = await seedAccount(app);
  const answer = await app.ask("GET", `/v1/links/${link.id}/qr?size=330&color=%23036&level=H`, { key });
  expect(answer.status).toBe(200);
  expect(answer.text).toMatch(/^<svg [^>]*width="330"/);
  expect(answer.text).toContain('fill="#003366"');
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    "content-type": "image/svg+xml",
    "content-disposition": `inline; filename=${link.slug}.svg`,
    "content-security-policy": expect.stringContaining("sandbox"),
    "cache-control": "private, no-cache",
    "x-content-type-options": "nosniff",
  });
});

it("serves it as PNG, byte for byte", async () => {
  const { key, link } = await seedAccount(app);
  const path = `/v1/links/${link.id}/qr?format=png&size=512`;
  const answer = await app.app.request(path, { headers: { Authorization: `Bearer ${key}` } });
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    "content-type": "image/png",
    "content-disposition": `inline; filename=${link.slug}.png`,
    etag: expect.stringMatching(/^"/),
  });
  const { json } = await app.askTrpc("links.qr", { id: link.id, format: "png", size: 512 }, { key });
  const { result } = json as { result: { data: { encoding: string; body: string } } };
  expect(result.data.encoding).toBe("base64");
  expect(Buffer.from(await answer.arrayBuffer())).toEqual(Buffer.from(result.data.body, "base64"));
});

it("answers 304 while the code is the same, and 200 after an edit", async () => {
  const { key, link } = await seedAccount(app);
  const path = `/v1/links/${link.id}/qr`;
  const etag = (await app.ask("GET", path, { key })).headers.get("etag") ?? "";
  const again = () => app.ask("GET", path, { key, headers: { "If-None-Match": etag } });
  expect([(await again()).status, (await again()).text]).toEqual([304, ""]);
  await app.ask("PUT", `/v1/links/${link.id}`, { key, json: { slug: `${link.slug}-2` } });
  expect((await again()).status).toBe(200);
});

it("checks the credential before If-None-Match", async () => {
  const [owner, other] = [await seedAccount(app), await seedAccount(app)];
  const ask = { headers: { "If-None-Match": "*" } };
  const path = `/v1/links/${owner.link.id}/qr`;
  expect((await app.ask("GET", path, ask)).status).toBe(401);
  expect((await app.ask("GET", path, { ...ask, key: other.key })).status).toBe(404);
});

it("gives tRPC callers the file as an object", async () => {
  const { key, link } = await seedAccount(app);
  const { json } = await app.askTrpc("links.qr", { id: link.id }, { key });
  expect(json).toMatchObject({
    result: { data: { content_type: "image/svg+xml", body: expect.stringMatching(/^<svg /) } },
  });
});
