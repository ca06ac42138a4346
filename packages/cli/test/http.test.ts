import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, expect, it } from "vitest";
import { quickFetch } from "../src/http.ts";

let left: () => void;
const server = createServer((request, response) => {
  if (request.url === "/moved") response.writeHead(307, { Location: "/echo" }).end();
  else if (request.url === "/gzip")
    response.writeHead(201, { "Content-Encoding": "gzip", ETag: "one" }).end(gzipSync('{"text":"größe"}'));
  else if (request.url === "/endless") {
    response.write("one");
    response.on("close", () => left());
  } else if (request.url === "/cut") {
    response.write("half");
    setTimeout(() => response.destroy(), 50);
  } else request.pipe(response);
});
await once(server.listen(0, "127.0.0.1"), "listening");
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

it("sends a body and reads answers, compressed ones and those of redirects too", async () => {
  const post = (path: string) => quickFetch(url + path, { method: "POST", body: "größe" });
  expect(await (await post("/echo")).text()).toBe("größe");
  expect(await (await post("/moved")).text()).toBe("größe");
  const answer = await quickFetch(`${url}/gzip`);
  expect([answer.ok, answer.status, answer.headers.get("ETag"), answer.headers.get("Age")]).toEqual([
    true,
    201,
    "one",
    null,
  ]);
  expect(await answer.json()).toEqual({ text: "größe" });
});

it("fails as fetch does", async () => {
  await expect(quickFetch("http://127.0.0.1:1/")).rejects.toThrow("ECONNREFUSED");
  const { body } = await quickFetch(`${url}/cut`);
  await expect(new Response(body).text()).rejects.toThrow(TypeError);
  const signal = AbortSignal.abort();
  await expect(quickFetch(url, { signal })).rejects.toThrow("aborted");
});

it("ends the connection when its reader has enough", async () => {
  const isLeft = new Promise<void>((resolve) => (left = resolve));
  const { body } = await quickFetch(`${url}/endless`);
  const reader = body?.getReader();
  expect(new TextDecoder().decode((await reader?.read())?.value)).toBe("one");
  await reader?.cancel();
  await isLeft;
});
