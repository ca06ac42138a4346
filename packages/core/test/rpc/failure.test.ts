import { TRPCError } from "@trpc/server";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { AppError, createCore, toFailure } from "../../src/index.ts";
import { toAppError } from "../../src/rpc/failure.ts";
import { withOurMessages } from "../../src/kernel/validation/issues.ts";
import { createTestCore } from "../../src/testing.ts";
import { anonymous, depsOf, rejection, url } from "../helpers.ts";

const internal = {
  status: 500,
  code: "INTERNAL_SERVER_ERROR",
  message: "Internal server error",
  issues: [{ path: [], code: "internal", message: "Internal server error" }],
  retryAfter: undefined,
};
const away = {
  status: 503,
  code: "SERVICE_UNAVAILABLE",
  message: "The database cannot be reached; try again shortly",
  issues: [
    {
      path: [],
      code: "unavailable",
      message: "The database cannot be reached; try again shortly",
      params: { seconds: 2 },
    },
  ],
  retryAfter: 2,
};
const withCode = (code: string, message = "secret detail") => Object.assign(new Error(message), { code });
const inside = (cause: unknown) =>
  new TRPCError({ code: "INTERNAL_SERVER_ERROR", message: "secret detail", cause });
const zodError = (schema: z.ZodType, input: unknown): unknown => {
  try {
    return withOurMessages(schema).parse(input);
  } catch (error) {
    return error;
  }
};

describe("a failure", () => {
  it.each([
    ["BAD_REQUEST", 400],
    ["UNAUTHORIZED", 401],
    ["FORBIDDEN", 403],
    ["NOT_FOUND", 404],
    ["METHOD_NOT_SUPPORTED", 405],
    ["CONFLICT", 409],
    ["PAYLOAD_TOO_LARGE", 413],
    ["UNSUPPORTED_MEDIA_TYPE", 415],
    ["TOO_MANY_REQUESTS", 429],
    ["INTERNAL_SERVER_ERROR", 500],
    ["SERVICE_UNAVAILABLE", 503],
  ] as const)("of our own keeps its code %s, which is status %i, and its sentence", (code, status) => {
    const error = new AppError(code, "A sentence.", { retryAfter: 7 });
    const failure = { status, code, message: "A sentence.", retryAfter: 7 };
    const issues = [{ path: [], code: expect.any(String), message: "A sentence.", params: { seconds: 7 } }];
    expect(toFailure(error)).toEqual({ ...failure, issues });
    expect(toFailure(inside(error))).toEqual(toFailure(error));
  });

  it("of input is 400 and names the field", () => {
    const error = zodError(z.object({ a: z.array(z.object({ b: z.string() })) }), { a: [{ b: 1 }] });
    const failure = {
      status: 400,
      code: "BAD_REQUEST",
      message: "a.0.b: expected string, received number",
      issues: [
        {
          path: ["a", 0, "b"],
          code: "wrong_type",
          message: "expected string, received number",
          params: { expected: "string" },
        },
      ],
      retryAfter: undefined,
    };
    expect(toFailure(error)).toEqual(failure);
    expect(toFailure(new TRPCError({ code: "BAD_REQUEST", cause: error }))).toEqual(failure);
  });

  it.each([
    [z.object({ a: z.string() }), {}, "a: is required (expected string)"],
    [z.object({ a: z.string() }), undefined, "A JSON object is required"],
    [z.object({}), "text", "expected object, received string"],
    [z.strictObject({}), { extra: 1 }, 'Unrecognized key: "extra"'],
    [z.object({ a: z.int("must be whole") }), {}, "a: must be whole"],
  ])("of input is said in one sentence (%#)", (schema, input, message) => {
    expect(toFailure(zodError(schema, input)).message).toBe(message);
  });

  it("of output is ours, not the caller's", () => {
    expect(toFailure(inside(zodError(z.string(), 1)))).toEqual(internal);
  });

  it.each([
    "PARSE_ERROR",
    "NOT_FOUND",
    "METHOD_NOT_SUPPORTED",
    "UNSUPPORTED_MEDIA_TYPE",
    "PAYLOAD_TOO_LARGE",
    "BAD_REQUEST",
    "TIMEOUT",
  ] as const)("of tRPC's own (%s) is a 4xx, and quotes nothing", (code) => {
    const failure = toFailure(new TRPCError({ code, message: "secret detail" }));
    expect(failure.status).toBeGreaterThanOrEqual(400);
    expect(failure.status).toBeLessThan(500);
    expect(failure.message).not.toContain("secret");
  });

  it.each([
    "ECONNREFUSED",
    "ECONNRESET",
    "ENOENT",
    "EPIPE",
    "ETIMEDOUT",
    "ENOTFOUND",
    "EAI_AGAIN",
    "EHOSTUNREACH",
    "ENETUNREACH",
    "57P01",
    "57P02",
    "57P03",
    "53100",
    "53300",
    "57014",
    "25006",
    "08000",
    "08001",
    "08006",
  ])("of a database that is away (%s) is 503", (code) => {
    expect(toFailure(inside(withCode(code)))).toEqual(away);
    expect(toFailure(withCode(code))).toEqual(away);
    expect(toFailure(inside(new Error("outer", { cause: withCode(code) })))).toEqual(away);
  });

  it.each([
    "Connection terminated unexpectedly",
    "Connection terminated due to connection timeout",
    "timeout exceeded when trying to connect",
    "Client has encountered a connection error and is not queryable",
  ])("of a connection is 503: %s", (message) => {
    expect(toFailure(inside(new Error(message)))).toEqual(away);
  });

  it.each<[string, unknown]>([
    ["an error", new Error("secret detail")],
    ["an error inside tRPC's", inside(new Error("secret detail"))],
    ["a database that refuses", inside(withCode("23505"))],
    ["a statement that is wrong", inside(withCode("42601"))],
    ["bytes that are no text", inside(withCode("22021"))],
    ["a message that the database does not understand", inside(withCode("08P01"))],
    ["a type error", new TypeError("secret detail")],
    ["a text", "secret detail"],
    ["nothing", undefined],
    ["null", null],
    ["a number", 7],
    ["an object", { message: "secret detail", code: "ECONNREFUSED" }],
  ])("of unknown kind says nothing about the inside: %s", (_, error) => {
    expect(toFailure(error)).toEqual(internal);
  });

  it("of an error that is its own cause is converted", () => {
    const error = new Error("secret detail");
    error.cause = error;
    expect(toFailure(error)).toEqual(internal);
  });

  it("keeps its cause for the log, and its code for callers, as an error to throw", () => {
    const cause = withCode("ECONNREFUSED");
    expect(toAppError(cause)).toMatchObject({ code: "SERVICE_UNAVAILABLE", retryAfter: 2, cause });
    const own = new AppError("CONFLICT", "A sentence.");
    expect(toAppError(own)).toBe(own);
  });
});

describe("an unreachable database", () => {
  it("is 503 for every operation that needs it, and a closed core closes", async () => {
    const core = await createCore({
      databaseUrl: "postgresql://nobody@127.0.0.1:1/none",
      shortBase: "http://short.test",
    });
    const account = {
      id: "0190aaaa-bbbb-7ccc-8ddd-eeeeeeeeeeee",
      email: "a@example.com",
      name: "A",
      plan: "enterprise",
    } as const;
    const caller = core.caller({ kind: "account", account, credential: "internal" });
    const unavailable = { code: away.code, message: away.message };
    for (const call of [
      () => core.caller(anonymous).links.create({ url }),
      () => caller.links.create({ url, slug: "a" }),
      () => caller.links.list(),
      () => caller.links.get({ id: account.id }),
      () => caller.links.update({ id: account.id, title: "a" }),
      () => caller.links.delete({ id: account.id }),
      () => caller.users.updateConsents({ marketing: true }),
      () => caller.keys.create({}),
      () => caller.keys.list(),
      () => caller.keys.delete({ id: account.id }),
    ]) {
      expect(await rejection(call())).toEqual(unavailable);
    }
    expect(toFailure(await core.credentials.byKey("k").catch((error: unknown) => error))).toEqual(away);
    expect(toFailure(await core.ping().catch((error: unknown) => error))).toEqual(away);
    expect(await caller.users.me()).toMatchObject(account);
    await core.close();
  });

  it("is 400 if the input is wrong, and 403 if the plan is too small", async () => {
    const core = await createCore({
      databaseUrl: "postgresql://nobody@127.0.0.1:1/none",
      shortBase: "http://short.test",
    });
    expect((await rejection(core.caller(anonymous).links.create({ url: "nonsense" }))).code).toBe(
      "BAD_REQUEST",
    );
    expect((await rejection(core.caller(anonymous).links.create({ url, password: "secret" }))).code).toBe(
      "FORBIDDEN",
    );
    expect((await rejection(core.caller(anonymous).links.list())).code).toBe("UNAUTHORIZED");
    await core.close();
  });

  it("is used again after its connections were cut, and the process survives", async () => {
    const test = await createTestCore();
    try {
      const { links } = test.core.caller(await test.actor());
      const { pool } = depsOf(test.core);
      await Promise.all(Array.from({ length: 5 }, () => links.create({ url })));
      await pool
        .query("select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()")
        .catch(() => {});
      await expect
        .poll(
          () =>
            links.list().then(
              ({ meta }) => meta.total,
              () => "away",
            ),
          { timeout: 10_000 },
        )
        .toBe(5);
    } finally {
      await test.close();
    }
  });
});
