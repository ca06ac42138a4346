import { expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { button, expectAccessible, render } from "../../kit/testing/render.tsx";
import { FigureTable } from "./FigureTable.tsx";

test("figures are a table, and are copied as CSV that no spreadsheet runs", async () => {
  const write = vi.spyOn(navigator.clipboard, "writeText").mockResolvedValue();
  const rows = [
    { name: "Germany", key: "DE", cells: [12_345, "58%"] },
    { name: "=1+1", key: '=1+1, "x"', cells: [1, "0%"] },
  ];
  await render(<FigureTable title="Countries" columns={["Country", "Clicks", "Share"]} rows={rows} />);
  await expect.element(page.getByRole("cell", { name: "12,345" })).toBeVisible();
  await expectAccessible();
  await button("Copy as CSV").click();
  await expect.element(page.getByText(/^Copied Countries: 2 rows/)).toBeVisible();
  const lines = write.mock.lastCall![0].split(/\r?\n/);
  expect(lines.slice(0, 2)).toEqual(["Country,Clicks,Share", "DE,12345,58%"]);
  expect(lines[2]).toMatch(/^"'=1\+1, ""x"""/);
});
