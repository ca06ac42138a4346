import pg from "pg";
import { expect, it, onTestFinished } from "vitest";
import { operatorRouter } from "../../src/maintenance/operator/operator.procedures.ts";
import { createCore } from "../../src/index.ts";
import { testServer } from "../../src/testing.ts";

/** A core on a database whose locale is Turkish, where the small letter of I has no dot. */
async function turkishCore() {
  const server = new pg.Client({ connectionString: testServer().url });
  await server.connect();
  const name = `turkish_${process.pid}`;
  await server.query(
    `create database ${name} template template0 encoding utf8 locale_provider icu icu_locale 'tr-TR'`,
  );
  const databaseUrl = Object.assign(new URL(testServer().url), { pathname: `/${name}` }).href;
  const core = await createCore({
    databaseUrl,
    shortBase: "http://short.test",
    signUp: "open",
    passwordCost: { ln: 1, r: 8, p: 1 },
  });
  onTestFinished(async () => {
    await core.close();
    await server.query(`drop database ${name} with (force)`);
    await server.end();
  });
  await core.migrate();
  return core;
}

it("a database in Turkish finds and compares texts like any other", { timeout: 60_000 }, async () => {
  const core = await turkishCore();
  const account = await core.accounts.create({ email: "INFO@Example.com", name: "IRIS", plan: "pro" });
  const { links } = core.caller({ kind: "account", account, credential: "internal" });
  const urls = [
    "https://example.com/INFO",
    "https://example.com/a",
    `https://example.com/${"a/".repeat(300)}INFO`,
  ];
  await links.create({ url: urls[0] ?? "", slug: "one" });
  await links.create({ url: urls[1] ?? "", slug: "INFO", title: "A", tags: ["INFO"] });
  await links.create({
    url: urls[1] ?? "",
    slug: "two",
    title: `INFO ${"Grün ".repeat(20)}`,
    tags: ["info"],
  });
  await links.create({ url: urls[2] ?? "", slug: "long" });
  const found = async (input: Parameters<typeof links.list>[0]) =>
    (await links.list({ sort: "slug", ...input })).data.map(({ slug }) => slug);
  for (const search of ["info", "INFO", "Info"])
    expect([search, await found({ search })]).toEqual([search, ["INFO", "long", "one", "two"]]);
  expect(await found({ search: `info ${"GRÜN ".repeat(20)}`.trim() })).toEqual(["two"]);
  expect(await found({ tag: "Info" })).toEqual(["INFO", "two"]);
  expect(account.email).toBe("info@example.com");
  await expect(
    core.accounts.create({ email: "info@EXAMPLE.com", name: "Another", plan: "pro" }),
  ).rejects.toThrow(/has an account/);

  await core.accounts.setOperator(account.email, true);
  const { token } = await core.sessions.create(account.id);
  const operator = (await core.credentials.bySession(token)) ?? expect.fail("no session");
  const { data } = await operatorRouter.createCaller(core.createContext(operator)).people({ search: "iris" });
  expect(data.map(({ name }) => name)).toEqual(["IRIS"]);
});
