import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { createTestCore } from "../../src/testing.ts";
import { rejection } from "../helpers.ts";

const { core, actor, close } = await createTestCore();
afterAll(close);

const newImports = async () => core.caller(await actor("pro")).imports;
const links = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ url: `https://example.com/${at}/${"x".repeat(50)}` }));

describe("a file that takes much memory to parse is refused before it is parsed:", () => {
  const tooDeep = "content: has more than 64 levels of lists and objects";
  const tooMany = "content: has more than 2,000,000 values; send it in smaller parts";
  it.each([
    ["twenty megabytes of [", "[".repeat(20_000_000), tooDeep],
    ["a million objects", `[${"{},".repeat(1_000_001)}{}]`, tooMany],
    ["beside its content", `{"content":"x","source":[${"{},".repeat(1_000_001)}{}]}`, tooMany],
    ["before its content", `{"source":${"[".repeat(70_000)},"content":"x"}`, tooDeep],
    [
      "fields that are no fields of an import",
      `{"content":"x","source":[${"{},".repeat(30_000)}{}]}`,
      "content: its other fields have more than 65536 characters",
    ],
    [
      "no text as its content",
      `{"content":[${"{},".repeat(30_000)}{}],"source":"list"}`,
      "content: expected string, received null",
    ],
  ])("%s", async (_, content, message) => {
    const imports = await newImports();
    expect(await rejection(imports.create({ content }))).toEqual({ code: "BAD_REQUEST", message });
  });
});

it("a large wrapper is read in a thread, as the file in it is", async () => {
  let threads = 0;
  const count = () => void threads++;
  process.on("worker", count);
  onTestFinished(() => void process.off("worker", count));
  const imports = await newImports();
  const wrapped = JSON.stringify({ content: JSON.stringify(links(1000)), dry_run: true });
  expect(wrapped.length).toBeGreaterThan(64 * 1024);
  expect(await imports.create({ content: wrapped })).toMatchObject({ not_taken: [] });
  expect(threads).toBe(2);
});

it("accounts take turns when files are read", async () => {
  const [many, one] = [await newImports(), await newImports()];
  const file = { content: JSON.stringify(links(2)), dry_run: true };
  const order: string[] = [];
  const running = Array.from({ length: 5 }, () => many.create(file).then(() => order.push("many")));
  await Promise.all([...running, one.create(file).then(() => order.push("one"))]);
  expect(order.indexOf("one")).toBeLessThan(4);
});
