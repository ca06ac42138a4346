import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeCertificate } from "@terse/testkit/certificate";
import { startMailServer } from "@terse/testkit/smtp";
import { expect, it, onTestFinished } from "vitest";
import { queueMail } from "../../src/mail/queue.ts";
import { createTestCore } from "../../src/testing.ts";
import { depsOf } from "../helpers.ts";

it("mails of a node that is killed while it sends are sent by another one, each once, except those under way", async () => {
  const folder = await mkdtemp(join(tmpdir(), "terse-mail-"));
  const server = await startMailServer({ ...(await makeCertificate(folder)), secure: true });
  const mail = { url: `smtps://localhost:${server.port}`, from: "terse@example.com", ca: server.ca };
  const { core, databaseUrl, close } = await createTestCore({ mail });
  onTestFinished(async () => {
    await close();
    await server.close();
    await rm(folder, { recursive: true });
  });
  const { pool, clock, newId } = depsOf(core);
  const count = 60;
  for (let n = 0; n < count; n++)
    await queueMail(
      pool,
      { clock, newId },
      { address: `person${n}@example.net`, language: null },
      { kind: "domain_failed", data: { domain: "go.example.com", path: "/domains" } },
    );

  // The server takes each mail, and for some never says so.
  let silent = Promise.withResolvers<void>();
  const arrived: string[] = [];
  server.onMail = async ({ messageId = "" }) => {
    arrived.push(messageId);
    if (arrived.length === 20 || arrived.length === 40) await silent.promise;
  };
  for (const least of [20, 40]) {
    const node = fork(join(import.meta.dirname, "sender-process.ts"), [databaseUrl, JSON.stringify(mail)]);
    onTestFinished(() => void node.kill("SIGKILL"));
    await expect.poll(() => arrived.length, { timeout: 60_000 }).toBeGreaterThanOrEqual(least);
    node.kill("SIGKILL");
    await once(node, "exit");
    silent.resolve();
    silent = Promise.withResolvers<void>();
    // The lease of a dead node ends by itself; a test need not wait for that.
    await pool.query("update mails set leased_until = now() - interval '1 s' where leased_until is not null");
  }
  silent.resolve();
  await core.mails.sendDue();
  expect(new Set(arrived).size).toBe(count);
  // At most the four that a node sends at a time, at each of the two kills; receivers know them by their Message-ID.
  expect(arrived.length - count).toBeLessThanOrEqual(8);
  const { rows } = await pool.query("select count(*)::int as unsent from mails where sent_at is null");
  expect(rows).toEqual([{ unsent: 0 }]);
});
