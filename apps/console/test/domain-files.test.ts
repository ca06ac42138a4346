import { describe, expect, it } from "vitest";
import { readFile } from "../src/features/domains/files.ts";

describe("a file of a domain", () => {
  it.each([
    ["{", 1, 2],
    ['{"a": 1,}', 1, 9],
    ['{"a" 1}', 1, 6],
    ["[1, 2", 1, 6],
    ['{\n  "a": [\n    tru\n  ]\n}', 3, 5],
    ['["\\x"]', 1, 2],
    ["{} {}", 1, 4],
    ["01", 1, 2],
    ["hello", 1, 1],
  ])("that is not JSON is wrong at a place: %s", (text, line, column) => {
    expect(readFile(text)).toEqual({ ok: false, line, column });
  });

  it.each(['{"a": [1, -2.5e3, true, null, {"b": "\\u00e9\\n"}], "c": {}}', " [] ", "0"])(
    "that is JSON is read: %s",
    (text) => expect(readFile(text)).toEqual({ ok: true, value: JSON.parse(text) }),
  );
});
