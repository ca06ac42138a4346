import { expect, it } from "vitest";
import { excessOfJson } from "../src/json-size.ts";

it.each([
  ["nothing", "", null],
  ["a list of links", '[{"url":"https://example.com/"},{"url":"https://example.org/","tags":["a"]}]', null],
  ["64 levels", `${"[".repeat(64)}${"]".repeat(64)}`, null],
  ["65 levels", "[".repeat(65), "has more than 64 levels of lists and objects"],
  ["levels of objects", '{"a":'.repeat(65), "has more than 64 levels of lists and objects"],
  ["brackets in text", JSON.stringify([`${"[".repeat(100)}"\\"${"{".repeat(100)}\\`]), null],
  ["a string without an end", `["${"[".repeat(100)}`, null],
  ["many objects", `[${"{},".repeat(1_000_001)}`, "has more than 2,000,000 values; send it in smaller parts"],
  ["many numbers", `[${"1,".repeat(1_999_999)}1]`, null],
])("a JSON text is refused for its depth and its number of values: %s", (_, text, excess) => {
  expect(excessOfJson(text)).toBe(excess);
});
