import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

/** A span as a collector gets it, with its attributes as an object. */
export interface CollectedSpan {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId: string | undefined;
  kind: number;
  attributes: Record<string, unknown>;
  isError: boolean;
  service: unknown;
}

export interface CollectedLog {
  body: unknown;
  severity: string;
  traceId: string | undefined;
  attributes: Record<string, unknown>;
}

/** A collector of OpenTelemetry, which keeps what it gets over OTLP (http/json is decoded, all else only kept). */
export interface Collector {
  readonly url: string;
  /** All requests so far */
  readonly requests: { path: string; headers: IncomingHttpHeaders; body: Buffer }[];
  spans(): CollectedSpan[];
  logs(): CollectedLog[];
  /** Answers all further requests with this status. */
  answer(status: number): void;
  close(): Promise<void>;
}

interface Attribute {
  key: string;
  value: Record<string, unknown>;
}
interface Span {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  kind: number;
  attributes?: Attribute[];
  status?: { code?: number };
}
interface Log {
  body?: Record<string, unknown>;
  severityText: string;
  traceId?: string;
  attributes?: Attribute[];
}
interface Payload {
  resourceSpans?: { resource: { attributes: Attribute[] }; scopeSpans: { spans: Span[] }[] }[];
  resourceLogs?: { scopeLogs: { logRecords: Log[] }[] }[];
}

const errorStatus = 2;

/** The value of an OTLP AnyValue, which has one member; 64-bit integers are texts. */
const valueOf = ({ intValue, ...other }: Record<string, unknown> = {}) =>
  intValue === undefined ? Object.values(other)[0] : Number(intValue);
const asObject = (attributes: Attribute[] = []) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, valueOf(value)]));

export async function startCollector(): Promise<Collector> {
  const requests: Collector["requests"] = [];
  let status = 200;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      if (status === 200)
        requests.push({ path: request.url ?? "", headers: request.headers, body: Buffer.concat(chunks) });
      response.writeHead(status, { "Content-Type": "application/json" }).end("{}");
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const payloads = () =>
    requests
      .filter(({ headers }) => headers["content-type"] === "application/json")
      .map(({ body }) => JSON.parse(body.toString()) as Payload);

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    spans: () =>
      payloads().flatMap(({ resourceSpans = [] }) =>
        resourceSpans.flatMap(({ resource, scopeSpans }) =>
          scopeSpans
            .flatMap(({ spans }) => spans)
            .map(({ name, traceId, spanId, parentSpanId, kind, attributes, status: state }) => ({
              name,
              traceId,
              spanId,
              parentSpanId,
              kind,
              attributes: asObject(attributes),
              isError: state?.code === errorStatus,
              service: asObject(resource.attributes)["service.name"],
            })),
        ),
      ),
    logs: () =>
      payloads().flatMap(({ resourceLogs = [] }) =>
        resourceLogs
          .flatMap(({ scopeLogs }) => scopeLogs.flatMap(({ logRecords }) => logRecords))
          .map(({ body, severityText, traceId, attributes }) => ({
            body: valueOf(body),
            severity: severityText,
            traceId,
            attributes: asObject(attributes),
          })),
      ),
    answer(next) {
      status = next;
    },
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
