import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** A proxy in front of a server which forwards so many bytes of what it answers, and then falls silent. Returns its URL. */
export async function startStallingProxy(url: string, bytes: number): Promise<string> {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const target = connect(Number(port), hostname);
    let left = bytes;
    client.on("data", (data) => target.write(data));
    target.on("data", (data) => {
      const part = data.subarray(0, left);
      left -= part.length;
      client.write(part);
    });
    for (const socket of [client, target]) {
      sockets.add(socket);
      socket.on("error", () => {});
    }
    client.on("close", () => target.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  const proxied = new URL(url);
  proxied.port = String((server.address() as AddressInfo).port);
  return proxied.href;
}
