import { createSocket } from "node:dgram";
import { once } from "node:events";
import type { TestDns } from "@terse/testkit/dns";
import { onTestFinished } from "vitest";

/** A resolver that passes all questions on to another, except those about names with `label` in them: it drops these. */
export async function dropping(dns: TestDns, label: string): Promise<string> {
  const [host = "", port = ""] = dns.address.split(":");
  const socket = createSocket("udp4").bind(0, "127.0.0.1");
  await once(socket, "listening");
  onTestFinished(() => void socket.close());
  socket.on("message", (question, from) => {
    if (question.includes(label)) return;
    const upstream = createSocket("udp4");
    upstream.once("message", (answer) => {
      socket.send(answer, from.port, from.address);
      upstream.close();
    });
    upstream.send(question, Number(port), host);
  });
  return `127.0.0.1:${socket.address().port}`;
}
