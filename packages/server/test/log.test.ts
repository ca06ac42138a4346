import { describe, expect, it } from "vitest";
import { createLogger, eventLog, type LogLevel } from "../src/index.ts";

function logging(level: LogLevel = "info") {
  const lines: string[] = [];
  const logger = createLogger({ level, destination: { write: (line) => lines.push(line) } });
  return { logger, lines, last: () => JSON.parse(lines.at(-1) ?? "null") as Record<string, unknown> };
}

it("writes one JSON object per line, with the level's name and the time in UTC", () => {
  const { logger, lines, last } = logging();
  logger.warn({ slug: "a\nb" }, "kept");
  expect(lines).toHaveLength(1);
  expect(lines[0]?.indexOf("\n")).toBe((lines[0]?.length ?? 0) - 1);
  expect(last()).toEqual({ level: "warn", time: expect.stringMatching(/Z$/), slug: "a\nb", msg: "kept" });
});

it("escapes characters that mislead readers, and keeps their meaning", () => {
  const { logger, lines, last } = logging();
  const agent = "\u009B31m red \u007F \u202Egpj.exe \u2066 \u2028 \u{1F469}\u200D\u{1F680} é";
  logger.info({ agent, err: new Error(agent) }, agent);
  expect(lines[0]).toContain(
    "\\u009b31m red \\u007f \\u202egpj.exe \\u2066 \\u2028 \u{1F469}\u200D\u{1F680} é",
  );
  expect(lines[0]).not.toMatch(/[\p{Cc}\u2028\u202E\u2066](?!$)/u);
  expect(last()).toMatchObject({ agent, msg: agent, err: { message: agent } });
});

it("omits lines below its level", () => {
  const { logger, lines } = logging("error");
  logger.info("not kept");
  expect(lines).toEqual([]);
});

it("logs an event of the core with its code, its level and its further fields", () => {
  const { logger, last } = logging();
  const event = { code: "disk_full", level: "warn", message: "the disk is full", bytes: 0 } as const;
  eventLog(logger)(event);
  expect(last()).toMatchObject({ code: "disk_full", level: "warn", msg: "the disk is full", bytes: 0 });
});

it.each([
  ["full", { address: "2001:db8:1:2::3", path: "/my-slug", route: "/*", status: 302 }],
  ["short", { address: "2001:db8:1::/48", route: "/*", status: 302 }],
  ["off", { route: "/*", status: 302 }],
] as const)("shows clients and slugs as LOG_ADDRESSES=%s says", (addresses, shown) => {
  const lines: string[] = [];
  const logger = createLogger({
    level: "info",
    addresses,
    destination: { write: (line) => lines.push(line) },
  });
  logger.info({ address: "2001:db8:1:2::3", path: "/my-slug", route: "/*", status: 302 }, "request");
  const {
    level: _level,
    time: _time,
    msg: _msg,
    ...fields
  } = JSON.parse(lines[0] ?? "") as object & {
    [field: string]: unknown;
  };
  expect(fields).toEqual(shown);
});

it("leaves a network as it is", () => {
  const lines: string[] = [];
  const logger = createLogger({
    level: "info",
    addresses: "short",
    destination: { write: (line) => lines.push(line) },
  });
  logger.info({ address: "192.0.2.0/24" });
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({ address: "192.0.2.0/24" });
});

describe("secrets", () => {
  it.each([
    "authorization",
    "Authorization",
    "cookie",
    "set-cookie",
    "key",
    "api_key",
    "password",
    "token",
    "access_token",
    "clientSecret",
  ])("named %s are redacted at every depth", (name) => {
    const { logger, lines } = logging();
    logger.info({ [name]: "hunter2", request: { headers: [{ [name]: ["hunter2"] }] } });
    logger.child({ [name]: "hunter2" }).info({ deep: { deep: { deep: { [name]: "hunter2" } } } });
    expect(lines.join()).not.toContain("hunter2");
    expect(lines.join()).toContain("[redacted]");
  });

  it("that are missing stay missing, and other fields are unchanged", () => {
    const { logger, last } = logging();
    logger.info({ key: null, keys: 2, when: new Date(0), list: [1, "two", { three: 3 }] });
    expect(last()).toMatchObject({
      key: null,
      keys: 2,
      when: "1970-01-01T00:00:00.000Z",
      list: [1, "two", { three: 3 }],
    });
  });
});

describe("errors", () => {
  it("have type, message, stack, code and cause, and no other fields of a driver", () => {
    const { logger, last } = logging();
    const cause = Object.assign(new RangeError("why"), { parameters: ["hunter2"] });
    logger.error({ err: Object.assign(new Error("what", { cause }), { code: "E1", detail: "hunter2" }) });
    expect(last().err).toEqual({
      type: "Error",
      message: "what",
      stack: expect.stringContaining("log.test.ts"),
      code: "E1",
      cause: { type: "RangeError", message: "why", stack: expect.any(String) },
    });
  });

  it("may be passed directly, and may be their own cause", () => {
    const { logger, last } = logging();
    const error = new Error("round");
    error.cause = error;
    logger.error(error);
    expect(last()).toMatchObject({ msg: "round", err: { message: "round", cause: { message: "round" } } });
  });

  it("do not break the log if objects are circular", () => {
    const { logger, lines } = logging();
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    logger.info({ circle });
    expect(lines).toHaveLength(1);
  });
});

it("writes short lines for warnings and errors on a terminal, and for everything at the level debug", () => {
  const shown = (level: LogLevel) => {
    const lines: string[] = [];
    const logger = createLogger({ level, isText: true, destination: { write: (line) => lines.push(line) } });
    logger.info({ path: "/x" }, "request");
    logger.warn({ code: "database_waiting", node: "a", found: "no server", tries: 2 }, "waiting");
    logger.error({ password: "hunter2", err: new Error("broken\nin two") }, "request failed");
    return lines.map((line) => line.replace(/^\d\d:\d\d:\d\d /, ""));
  };
  const [waiting, failed] = [
    "warn  waiting (found: no server, tries: 2)\n",
    expect.stringContaining("error request"),
  ];
  expect(shown("info")).toEqual([waiting, failed]);
  expect(shown("debug")).toEqual(["info  request (path: /x)\n", waiting, failed]);
  expect(shown("info")[1]).toBe("error request failed (password: [redacted], err: broken in two)\n");
});
