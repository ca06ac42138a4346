import { type LogRecord, SeverityNumber } from "@opentelemetry/api";

interface Line {
  level: string;
  time: string;
  msg?: string;
  err?: { type?: unknown; code?: string | number; stack?: unknown };
  [field: string]: unknown;
}

const severities: Record<string, SeverityNumber> = {
  trace: SeverityNumber.TRACE,
  debug: SeverityNumber.DEBUG,
  info: SeverityNumber.INFO,
  warn: SeverityNumber.WARN,
  error: SeverityNumber.ERROR,
  fatal: SeverityNumber.FATAL,
};

/** Texts that say nothing of users; all other texts stay in the log on this machine. */
const sentTexts = new Set(["code", "node", "method", "route", "version", "runtime"]);

/**
 * A line of the log as a log record: its message, its numbers, and the texts that contain no data of users. Of an error,
 * whose message may contain some, the type, the code and the stack.
 */
export function logRecordOf(line: string): LogRecord {
  const { level, time, msg, err, ...fields } = JSON.parse(line) as Line;
  const kept = Object.entries(fields).filter(
    ([name, value]) =>
      typeof value === "number" ||
      typeof value === "boolean" ||
      (typeof value === "string" && sentTexts.has(name)),
  );
  return {
    timestamp: new Date(time),
    severityNumber: severities[level] ?? SeverityNumber.UNSPECIFIED,
    severityText: level,
    ...(msg !== undefined && { body: msg }),
    ...(typeof fields.code === "string" && { eventName: fields.code }),
    attributes: {
      ...(Object.fromEntries(kept) as Record<string, string | number | boolean>),
      ...errorOf(err),
    },
  };
}

function errorOf(err: Line["err"]): Record<string, string> {
  if (!err) return {};
  const { type, code, stack } = err;
  const frames = typeof stack === "string" ? stack.split("\n").filter((frame) => /^\s+at /.test(frame)) : [];
  return {
    ...(typeof type === "string" && { "exception.type": type }),
    ...(code !== undefined && { "exception.code": String(code) }),
    ...(frames.length > 0 && { "exception.stacktrace": frames.join("\n") }),
  };
}
