import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { tempFolder, until } from "@terse/testkit";
import { nextPort } from "@terse/testkit/ports";
import { defaultAccount } from "../../../postgres/src/account.ts";
import { assertNoTransactionPooling } from "../../src/db/check-database.ts";
import { createCore } from "../../src/index.ts";
import { createTestCore } from "../../src/testing.ts";
import { url } from "../helpers.ts";

const program = ["pgbouncer", "/usr/sbin/pgbouncer"].find((name) => !spawnSync(name, ["--version"]).error);
if (program === undefined)
  process.stderr.write("Tests of poolers are left out: there is no pgbouncer on the PATH\n");

const { core, databaseUrl, close } = await createTestCore();
afterAll(close);

const owner = await defaultAccount();

/** A PgBouncer in front of the test's database; returns the database's URL there. */
async function startPgBouncer(mode: string, more = "ignore_startup_parameters = statement_timeout") {
  const folder = await tempFolder();
  chmodSync(folder, 0o755);
  if (owner) chownSync(folder, owner.uid, owner.gid);
  const { hostname, port, username, pathname } = new URL(databaseUrl);
  const [listen, file] = [nextPort(), join(folder, "pgbouncer.ini")];
  await writeFile(
    file,
    `[databases]
* = host=${decodeURIComponent(hostname)} port=${port || 5432} user=${username}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listen}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
${more}
`,
  );
  const server = spawn(program ?? "", [file], { ...owner, cwd: "/", stdio: "ignore" });
  onTestFinished(async () => {
    const exit = once(server, "exit");
    server.kill("SIGKILL");
    await exit;
  });
  const pooled = `postgresql://${username}@127.0.0.1:${listen}${pathname}`;
  await until(async () => {
    const client = new pg.Client({ connectionString: pooled });
    return client.connect().then(
      () => client.end().then(() => true),
      () => false,
    );
  });
  return pooled;
}

it("a server without a pooler gives each session a process of its own", async () => {
  await assertNoTransactionPooling(databaseUrl);
});

describe.skipIf(program === undefined)("PgBouncer", { tags: ["long"] }, () => {
  it.each(["transaction", "statement"])(
    "in %s mode is refused at the start, with what to do",
    async (mode) => {
      const pooled = await startPgBouncer(mode);
      const node = await createCore({ databaseUrl: pooled, shortBase: "http://short.test" });
      onTestFinished(() => node.close());
      await expect(node.migrate()).rejects.toThrow("pool_mode = session");
    },
  );

  it("in transaction mode with one server is refused too", async () => {
    const more = "ignore_startup_parameters = statement_timeout\ndefault_pool_size = 1";
    await expect(assertNoTransactionPooling(await startPgBouncer("transaction", more))).rejects.toThrow(
      "pool_mode = session",
    );
  });

  it("that refuses our parameter of a connection says which setting it needs", async () => {
    await expect(assertNoTransactionPooling(await startPgBouncer("session", ""))).rejects.toThrow(
      "ignore_startup_parameters = statement_timeout",
    );
  });

  it("in session mode works: links are created, and changes are announced", async () => {
    const pooled = await startPgBouncer("session");
    const node = await createCore({ databaseUrl: pooled, shortBase: "http://short.test" });
    onTestFinished(() => node.close());
    await node.migrate();
    node.redirects.watch();
    await until(() => node.redirects.stats().watched);
    const { id, slug } = await node.caller({ kind: "anonymous" }).links.create({ url });
    const visit = { address: "8.8.8.8" } as never;
    expect(await node.redirects.resolve("short.test", slug, visit)).toMatchObject({
      kind: "redirect",
      location: url,
    });
    await core.moderation.disableLink(id, "spam");
    await until(async () => (await node.redirects.resolve("short.test", slug, visit)).kind !== "redirect");
  });
});
