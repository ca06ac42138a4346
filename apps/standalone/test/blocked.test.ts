import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { until } from "@terse/testkit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newDataDir, remove, run } from "./process.ts";
import { ownerKey, type Service, shorten, startService } from "./service.ts";

let dataDir: string;
let list: string;
let service: Service;
beforeAll(async () => {
  dataDir = await newDataDir();
  list = join(dataDir, "list.txt");
  await write("listed.example");
  service = await startService(dataDir, { env: { BLOCKLIST_FILES: list, REDIRECT_WORKERS: "2" } });
});
afterAll(async () => {
  await service.stop("SIGTERM");
  await remove(dataDir);
});

async function write(text: string): Promise<void> {
  await writeFile(`${list}.new`, text);
  await rename(`${list}.new`, list);
}

/** The statuses of a short link over several connections, which the workers share. */
async function statuses(url: string): Promise<number[]> {
  const answers = Array.from({ length: 10 }, () =>
    fetch(url, { redirect: "manual", headers: { connection: "close" } }),
  );
  return [...new Set((await Promise.all(answers)).map(({ status }) => status))];
}

test("each redirecting process and the API follow a host list", async () => {
  const key = await ownerKey(dataDir);
  const url = "https://later.example/";
  await expect(shorten(service, key, "https://listed.example/")).rejects.toThrow(
    "400: url: leads to listed.example, which is blocked as harmful",
  );
  const { shortUrl } = await shorten(service, key, url);
  expect(await statuses(shortUrl)).toEqual([302]);
  await write("later.example");
  await until(async () => (await statuses(shortUrl)).join() === "410");
  await until(() =>
    shorten(service, key, url).then(
      () => false,
      (error: Error) => error.message.startsWith("400:"),
    ),
  );
});

test("a host list that does not exist stops a start with one line", async () => {
  const { output, ended } = run("main.ts", [], {
    env: { DATA_DIR: dataDir, BLOCKLIST_FILES: "/no/such/list.txt" },
  });
  expect(await ended).toBe(1);
  expect(output.stderr).toBe(
    'BLOCKLIST_FILES is "/no/such/list.txt": /no/such/list.txt must be a readable file\n',
  );
});
