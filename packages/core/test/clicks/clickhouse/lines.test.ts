import { expect, it } from "vitest";
import { withAllColumns } from "../../../src/clicks/clickhouse/tables.ts";
import { columnNames } from "../../../src/clicks/blocks/block.ts";

it("lines of a version before get the columns that they lack", () => {
  const line = (columns: number) => Array.from({ length: columns }, (_, at) => at).join("\t");
  const all = 3 + columnNames.length;
  const whole = `${line(all)}\n${line(all)}`;
  expect(withAllColumns(whole)).toBe(whole);
  expect(withAllColumns(`${line(10)}\n${line(10)}`)).toBe(`${line(10)}\t-1\n${line(10)}\t-1`);
});
