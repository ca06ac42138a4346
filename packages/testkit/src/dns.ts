import { createSocket } from "node:dgram";
import { once } from "node:events";
import { type Answer, decode, encode, RECURSION_AVAILABLE } from "dns-packet";
import { onTestFinished } from "vitest";

type RecordType = "TXT" | "CNAME" | "NS" | "A" | "AAAA";

/** A local recursive resolver for the names that tests set. */
export interface TestDns {
  /** For the option `dnsServers` */
  readonly address: string;
  /** Sets all records of a name and type; a TXT may consist of several strings. */
  set(type: RecordType, name: string, ...values: (string | string[])[]): void;
  /** Makes it answer, fail, refuse, stay silent, or hold back its answers. */
  become(mood: "well" | "failing" | "refusing" | "silent" | "slow"): void;
  /** Names of all queries so far */
  readonly asked: string[];
  close(): Promise<void>;
}

const rcodes: Record<string, number> = { failing: 2, refusing: 5 };

export async function startDns(): Promise<TestDns> {
  const zone = new Map<string, (string | string[])[]>();
  const asked: string[] = [];
  const seen = new Set<string>();
  let held: (() => void)[] = [];
  let mood: Parameters<TestDns["become"]>[0] = "well";
  const socket = createSocket("udp4");
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");

  const recordsOf = (type: RecordType, name: string) =>
    (zone.get(`${type} ${name.toLowerCase()}`) ?? []).map(
      (data) => ({ type, name, ttl: 60, data }) as unknown as Answer,
    );
  /** The records and, as resolvers return them, the CNAMEs in the chain. */
  function answersTo(type: RecordType, name: string, depth = 0): Answer[] {
    const [alias] = type === "CNAME" || depth > 10 ? [] : recordsOf("CNAME", name);
    if (alias === undefined) return recordsOf(type, name);
    return [alias, ...answersTo(type, (alias as { data: string }).data, depth + 1)];
  }
  const exists = (name: string) =>
    [...zone].some(([key, values]) => values.length > 0 && key.endsWith(` ${name.toLowerCase()}`));

  socket.on("message", (message, from) => {
    const { id, questions = [] } = decode(message);
    const [question] = questions;
    if (!question) return;
    // A client that waits too long repeats the query; it counts once.
    const key = `${id} ${question.type} ${question.name}`;
    if (!seen.has(key)) asked.push(question.name);
    seen.add(key);
    if (mood === "silent") return;
    const answers = mood in rcodes ? [] : answersTo(question.type as RecordType, question.name);
    const rcode = rcodes[mood] ?? (exists(question.name) ? 0 : 3);
    const flags = RECURSION_AVAILABLE | rcode;
    const response = encode({ type: "response", id: id ?? 0, flags, questions: [question], answers });
    const send = () => socket.send(response, from.port, from.address);
    if (mood === "slow") held.push(send);
    else send();
  });

  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked,
    set: (type, name, ...values) => void zone.set(`${type} ${name.toLowerCase()}`, values),
    become(next) {
      mood = next;
      for (const send of held) send();
      held = [];
    },
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}

/** Starts a resolver that stops after the test. */
export async function testDns(): Promise<TestDns> {
  const dns = await startDns();
  onTestFinished(() => dns.close());
  return dns;
}

/** The value of the TXT record. */
export const challengeOf = ({ dns }: { dns: { type: string; value: string }[] }): string =>
  dns.find(({ type }) => type === "TXT")?.value ?? "";

/** Sets both records, as the owner of a domain would. */
export function prove(dns: TestDns, domain: string, ...challenges: string[]): void {
  dns.set("TXT", `_terse-challenge.${domain}`, ...challenges);
  dns.set("CNAME", domain, "short.test");
}

/** Removes both records. */
export function unprove(dns: TestDns, domain: string): void {
  dns.set("TXT", `_terse-challenge.${domain}`);
  dns.set("CNAME", domain);
}
