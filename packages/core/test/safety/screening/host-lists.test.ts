import { rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { tempFolder, until } from "@terse/testkit";
import { expect, it, onTestFinished } from "vitest";
import type { CoreEvent } from "../../../src/kernel/events.ts";
import { createHostLists } from "../../../src/safety/screening/host-lists.ts";

async function listsOf(files: Record<string, string>, { missing = [] as string[] } = {}) {
  const folder = await tempFolder();
  const pathOf = (name: string) => join(folder, name);
  for (const [name, content] of Object.entries(files)) await writeFile(pathOf(name), content);
  const events: CoreEvent[] = [];
  const paths = [...Object.keys(files), ...missing].map(pathOf);
  const lists = createHostLists({ paths, onEvent: (event) => events.push(event), pollMs: 5 });
  onTestFinished(lists.close);
  let changes = 0;
  lists.onChange(() => changes++);
  await lists.start();
  return {
    lists,
    events,
    changes: () => changes,
    pathOf,
    problems: () => events.filter(({ level }) => level !== "info"),
  };
}

it("hosts of all files are blocked once it has started", async () => {
  const { lists, events } = await listsOf({
    "phishing.txt": "bad.example",
    "malware.txt": "||worse.example^",
  });
  expect(lists.isBlocked("www.bad.example")).toBe(true);
  expect(lists.isBlocked("worse.example.")).toBe(true);
  expect(lists.isBlocked("bad.example")).toBe(true);
  expect(lists.isBlocked("good.example")).toBe(false);
  expect(events).toMatchObject([
    { code: "host_list_read", hosts: 1 },
    { code: "host_list_read", hosts: 1 },
  ]);
});

it("a host is found in any spelling, and what is no host is not blocked", async () => {
  const { lists } = await listsOf({ "list.txt": "müller.example\n192.0.2.7" });
  for (const host of ["xn--mller-kva.example", "Müller.Example", "192.0.2.7"])
    expect(lists.isBlocked(host)).toBe(true);
  const letters = Array.from({ length: 5400 }, (_, index) => String.fromCharCode(0x4e00 + index)).join("");
  for (const host of ["", "[2001:db8::1]", `${letters}.müller.example`, "\u0000"])
    expect(lists.isBlocked(host)).toBe(false);
});

it("without files nothing is blocked", async () => {
  const { lists } = await listsOf({});
  expect(lists.isBlocked("bad.example")).toBe(false);
});

it("a file that changes is read again", async () => {
  const { lists, changes, pathOf, problems } = await listsOf({ "list.txt": "bad.example" });
  await writeFile(pathOf("list.txt"), "worse.example");
  await until(() => lists.isBlocked("worse.example"));
  expect(lists.isBlocked("bad.example")).toBe(false);
  await writeFile(pathOf("new.txt"), "worst.example");
  await rename(pathOf("new.txt"), pathOf("list.txt"));
  await until(() => lists.isBlocked("worst.example"));
  expect(changes()).toBe(3);
  expect(problems()).toEqual([]);
});

it("while a file is missing or broken its last good version stays in use; each failure is reported once", async () => {
  const { lists, events, pathOf, problems } = await listsOf({ "list.txt": "bad.example" });
  await rm(pathOf("list.txt"));
  await until(() => problems().length === 1);
  await writeFile(pathOf("list.txt"), "<html>");
  await until(() => problems().length === 2);
  expect(lists.isBlocked("bad.example")).toBe(true);
  await writeFile(pathOf("list.txt"), "worse.example");
  await until(() => lists.isBlocked("worse.example"));
  await until(() => events.at(-1)?.code === "host_list_restored");
  expect(problems()).toMatchObject([
    { code: "host_list_failing", hosts: 1, err: { code: "ENOENT" } },
    { code: "host_list_failing", hosts: 1, err: { message: "none of its lines names a host" } },
  ]);
});

it("a file that is missing at the start blocks nothing until it is there; the others do", async () => {
  const { lists, pathOf, problems } = await listsOf({ "list.txt": "bad.example" }, { missing: ["late.txt"] });
  expect(lists.isBlocked("bad.example")).toBe(true);
  await until(() => problems().length === 1);
  expect(problems()).toMatchObject([{ code: "host_list_failing", hosts: 0, list: pathOf("late.txt") }]);
  await writeFile(pathOf("late.txt"), "worse.example");
  await until(() => lists.isBlocked("worse.example"));
});
