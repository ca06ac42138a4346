import { createSocket } from "node:dgram";
import { once } from "node:events";
import { type Answer, decode, encode, RECURSION_AVAILABLE } from "dns-packet";
import { onTestFinished } from "vitest";

type RecordType = "TXT" | "CNAME" | "A" | "AAAA";

/** A recursive resolver on this machine, for names that tests make up. */
export interface TestDns {
  /** For the option `dnsServers` */
  readonly address: string;
  /** Sets all records of a name and type; a TXT may be cut into several strings. */
  set(type: RecordType, name: string, ...values: (string | string[])[]): void;
  /** From now on it answers with what it knows, says that it failed, says nothing, or keeps its answers back for now. */
  become(mood: "well" | "failing" | "refusing" | "silent" | "slow"): void;
  /** Names of the questions so far */
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
  /** The record and, as resolvers do, the CNAMEs on the way to it. */
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
    // Whoever waits too long for an answer sends the question again: it is the same one.
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

/** The same for one test. */
export async function testDns(): Promise<TestDns> {
  const dns = await startDns();
  onTestFinished(() => dns.close());
  return dns;
}

/** What the TXT record has to say. */
export const challengeOf = ({ dns }: { dns: { type: string; value: string }[] }): string =>
  dns.find(({ type }) => type === "TXT")?.value ?? "";

/** Sets both records as a domain's owner would. */
export function prove(dns: TestDns, domain: string, ...challenges: string[]): void {
  dns.set("TXT", `_terse-challenge.${domain}`, ...challenges);
  dns.set("CNAME", domain, "short.test");
}

/** Takes both away. */
export function unprove(dns: TestDns, domain: string): void {
  dns.set("TXT", `_terse-challenge.${domain}`);
  dns.set("CNAME", domain);
}
