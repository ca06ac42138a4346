import { describe, expect, it } from "vitest";
import {
  databaseError,
  describeDatabase,
  explain,
  ListenError,
  SettingsError,
  UserError,
} from "../src/index.ts";

describe("why a program ends", () => {
  const taken = { name: "http", host: "127.0.0.1", port: 80, portSetting: "HTTP_PORT" };

  it("is one line for each problem that the user can fix", () => {
    expect(explain(new UserError("One\n  line "))).toBe("One line");
    expect(explain(new SettingsError(["A is bad", "B is\nbad"]))).toBe("A is bad\nB is bad");
    const code = Object.assign(new Error("listen"), { code: "EADDRINUSE" });
    expect(explain(new ListenError(taken, code))).toMatch(/^http: port 80 .*$/);
  });

  it("is the stack of an unexpected error", () => {
    expect(explain(new TypeError("oops"))).toMatch(/^TypeError: oops\n {4}at /);
    expect(explain("text")).toBe("text");
  });
});

describe("a database that cannot be used", () => {
  it.each([
    ["postgresql://terse:hush@db.example:5433/links", "db.example:5433/links (DATABASE_URL)"],
    ["postgresql:///links?host=%2Frun%2Fpg", "/run/pg/links (DATABASE_URL)"],
    ["postgresql://terse:hush@a:1,b/links?target_session_attrs=primary", "a:1, b/links (DATABASE_URL)"],
    ["postgresql:links", "DATABASE_URL"],
  ])("%s is described without its password", (url, description) => {
    expect(describeDatabase(url)).toBe(description);
  });

  it("is described with its error, or the first error if several addresses were tried", () => {
    const failure = new AggregateError([new Error("rejected by ::1"), new Error("rejected by 127.0.0.1")]);
    expect(databaseError("here", failure).message).toBe(
      "The database at here cannot be used: rejected by ::1",
    );
  });
});
