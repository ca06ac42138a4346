import { connect } from "node:net";
import { once } from "node:events";
import { afterAll, expect, it, onTestFinished } from "vitest";
import { startApp } from "./client.ts";

const app = await startApp();
const listener = await app.listen();
afterAll(() => listener.close(0));
const largest = 20 * 1024 * 1024;
const csv = { "Content-Type": "text/csv" };

/** Begins an upload of the largest size, sends some of its bytes, and then nothing. Returns the first line that is answered. */
async function beginUpload(key: string, sent: number): Promise<{ answer: Promise<string> }> {
  const socket = connect(listener.port, "127.0.0.1");
  socket.on("error", () => {});
  onTestFinished(() => void socket.destroy());
  const answer = once(socket, "data").then(([bytes]) => String(bytes).split("\r\n", 1)[0] ?? "");
  answer.catch(() => {});
  const head = `POST /v1/imports HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\nContent-Type: text/csv`;
  await new Promise<unknown>((resolve) =>
    socket.write(`${head}\r\nContent-Length: ${largest}\r\n\r\n${"x".repeat(sent)}`, resolve),
  );
  return { answer };
}

const importInto = (key: string) =>
  app.ask("POST", "/v1/imports", { key, body: "url\nhttps://example.com/", headers: csv });

it("uploads that do not arrive keep no other account from importing", async () => {
  for (let other = 0; other < 5; other++) await beginUpload((await app.key("pro")).key, 100);
  const { key } = await app.key("pro");
  expect((await importInto(key)).status).toBe(202);
});

it("an account may have two of the largest files in memory; one more is refused, and others are not concerned", async () => {
  const { key } = await app.key("pro");
  const uploads = [1, 2, 3].map(() => beginUpload(key, largest - 1));
  const answers = uploads.map(async (upload) => (await upload).answer);
  expect(await Promise.race(answers)).toBe("HTTP/1.1 503 Service Unavailable");
  expect((await importInto((await app.key("pro")).key)).status).toBe(202);
});
