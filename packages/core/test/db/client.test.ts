import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { expect, it } from "vitest";
import { openPool } from "../../src/db/pool.ts";

/** A message of PostgreSQL's protocol: its type, its length and its contents (PostgreSQL 18, 54.7). */
function message(type: string, contents: Buffer | string): Buffer {
  const body = Buffer.from(contents);
  const head = Buffer.alloc(5, type);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

it("a connection that ends in the packet that completes it fails a statement, not the process", async () => {
  const authenticated = message("R", Buffer.alloc(4));
  const ready = message("Z", "I");
  const ended = message("E", "SFATAL\0VFATAL\0C57P01\0Mterminating connection\0\0");
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => socket.end(Buffer.concat([authenticated, ready, ended])));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const pool = openPool(`postgres://terse@127.0.0.1:${(server.address() as AddressInfo).port}/terse`, {
    size: 1,
  });
  await expect(pool.query("select")).rejects.toThrow();
  await pool.end();
  server.close();
});
