import { type DestinationStream, type Logger, pino, stdTimeFunctions } from "pino";
import { networkOf, noTracer, printable } from "@terse/core/redirect";
import { logEvent } from "./events.ts";
import { nodeName } from "./node/node-name.ts";
import type { Settings } from "./settings/read.ts";
import type { LogAddresses, LogFormat, LogLevel } from "./settings/table.ts";
import { createOutput } from "./output.ts";
import { noTelemetry, type Telemetry } from "./telemetry/telemetry.ts";

export type { Logger } from "pino";

/** Whether lines are for a person at a terminal instead of for a program. */
export const isTextLog = (format: LogFormat): boolean =>
  format === "text" || (format === "auto" && process.stdout.isTTY);

const secretName = /(?:authorization|cookie|key|passwords?|passwd|secret|token)$/i;
const redacted = "[redacted]";
const maxDepth = 6;

let standardOutput: DestinationStream | undefined;

/**
 * Creates a logger that writes one JSON object per line: `level` (its name), `time` (ISO 8601, UTC), `msg` and the given
 * fields. Fields named like a secret (authorization, cookie, set-cookie, …key, …password, …secret, …token) are redacted
 * at every depth, and characters that mislead readers are escaped. Errors go under `err`, with type, message, stack, code
 * and cause. Unless `addresses` is "full" (the default), `address` is shortened to its network or left out, and so is `path`,
 * which contains slugs.
 *
 * @param options.destination standard output by default
 * @param options.telemetry gives lines the ids of the span that they belong to, and exports them
 */
export function createLogger(options: {
  level: LogLevel;
  addresses?: LogAddresses;
  destination?: DestinationStream;
  /** Fields of every line */
  base?: Record<string, string>;
  telemetry?: Telemetry;
  /** Writes short lines of text instead of JSON: see `textLine` */
  isText?: boolean;
}): Logger {
  const { addresses = "full", telemetry = noTelemetry, isText = false } = options;
  const { tracer, exportLine } = telemetry;
  const destination = options.destination ?? (standardOutput ??= createOutput(1));
  const logger = pino(
    {
      level: options.level,
      base: options.base ?? null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: {
        level: (label) => ({ level: label }),
        log: (fields) => redactFields(anonymized(fields, addresses)),
      },
      serializers: { err: describeError, error: describeError },
      ...(tracer !== noTracer && { mixin: () => tracer.current()?.ids ?? {} }),
    },
    {
      write(line) {
        const shown = isText ? textLine(line, options.level) : line;
        if (shown !== null) destination.write(printable(shown));
        exportLine?.(line);
      },
    },
  );
  // pino formats only the bindings of the root logger. Children inherit this method, so `this` may be a child.
  const { child } = logger;
  logger.child = function (this: Logger, bindings, childOptions) {
    return child.call(this, redactFields(bindings), childOptions);
  } as typeof child;
  return logger;
}

const hiddenInText = new Set(["level", "time", "msg", "code", "node", "request_id", "account"]);

/**
 * One short line for a terminal, such as `14:03:22 warn  waiting for the database (found: no server)`. Lines below `warn`
 * appear only at the levels `debug` and `trace`.
 */
function textLine(json: string, level: LogLevel): string | null {
  const line = JSON.parse(json) as Record<string, unknown> & { level: string; time: string; msg?: string };
  const isDetailed = level === "debug" || level === "trace";
  if (!isDetailed && !["warn", "error", "fatal"].includes(line.level)) return null;
  const details = Object.entries(line)
    .filter(([name]) => !hiddenInText.has(name))
    .map(([name, value]) => `${name}: ${shortText(value)}`);
  const time = new Date(line.time).toTimeString().slice(0, 8);
  const more = details.length > 0 ? ` (${details.join(", ")})` : "";
  return `${time} ${line.level.padEnd(5)} ${line.msg ?? ""}${more}\n`;
}

function shortText(value: unknown): string {
  const isError = typeof value === "object" && value !== null && "message" in value;
  const text = isError ? value.message : value;
  return (typeof text === "string" ? text : JSON.stringify(text)).replaceAll("\n", " ").slice(0, 300);
}

/** The logger that the settings ask for; every line names the node. */
export function createNodeLogger(
  settings: Pick<Settings, "LOG_LEVEL" | "LOG_FORMAT" | "LOG_ADDRESSES" | "NODE_NAME">,
  telemetry: Telemetry,
): Logger {
  const { LOG_LEVEL, LOG_FORMAT } = settings;
  const logger = createLogger({
    level: LOG_LEVEL,
    addresses: settings.LOG_ADDRESSES,
    base: { node: nodeName(settings) },
    telemetry,
    isText: isTextLog(LOG_FORMAT),
  });
  telemetry.onFailure((reason) => logEvent(logger, "telemetry_failing", { reason }));
  return logger;
}

/** Returns a handler that logs events of the core, with their `code`; the core itself has no logger. */
export const eventLog =
  (logger: Logger) =>
  ({
    level,
    message,
    ...details
  }: {
    code: string;
    level: "info" | "warn" | "error";
    message: string;
  }): void =>
    logger[level](details, message);

function anonymized(fields: Record<string, unknown>, addresses: LogAddresses): Record<string, unknown> {
  if (addresses === "full") return fields;
  const { path: _, address, ...rest } = fields;
  const network = addresses === "short" && typeof address === "string" ? shortened(address) : null;
  return network === null ? rest : { ...rest, address: network };
}

/** An account's activity has networks instead of addresses already. */
const shortened = (address: string) => (address.includes("/") ? address : networkOf(address));

// pino's `redact` takes paths of fixed depth and case; a secret may be at any depth.
function redactFields(fields: Record<string, unknown>, depth = 0): Record<string, unknown> {
  const clean: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    clean[name] = secretName.test(name) && value != null ? redacted : redactValue(value, depth + 1);
  }
  return clean;
}

function redactValue(value: unknown, depth: number): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (depth > maxDepth) return "[deep]";
  if (Array.isArray(value)) return value.map((item) => redactValue(item, depth + 1));
  const prototype: unknown = Object.getPrototypeOf(value);
  const plain = prototype === Object.prototype || prototype === null;
  return plain ? redactFields(value as Record<string, unknown>, depth) : value;
}

// Known fields only: a driver's error carries the statement's parameters, which contain personal data.
function describeError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return error;
  const { name, message, stack, cause } = error;
  const code = "code" in error ? error.code : undefined;
  return {
    type: name,
    message,
    stack,
    code,
    cause: cause && depth < 3 ? describeError(cause, depth + 1) : undefined,
  };
}
