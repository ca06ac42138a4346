import { useState } from "react";
import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { queryClient } from "../../kit/api/api.ts";
import { button, expectAccessible, render } from "../../kit/testing/render.tsx";
import { FilterBar } from "./FilterBar.tsx";
import { type Figures, figuresOptions, questionOf } from "./figures.ts";
import type { ReportSearch } from "./search.ts";

let search: ReportSearch;

/** Only what the editor of devices reads. */
const figures = { devices: [{ device: "mobile", clicks: 1200, visitors: 0 }] } as unknown as Figures;

function Bar({ start }: { start: ReportSearch }) {
  const [state, setState] = useState(start);
  search = state;
  return (
    <FilterBar state={{ id: undefined, search: state, zone: "UTC", change: setState }} figures={figures} />
  );
}

async function show(start: ReportSearch): Promise<void> {
  const { device: _, ...others } = start;
  queryClient.setQueryData(figuresOptions(undefined, questionOf(others, "UTC")).queryKey, figures);
  await render(<Bar start={start} />);
}

test("a filter is added by keyboard, and every choice shows at once", async () => {
  await show({});
  await userEvent.keyboard("f");
  await page.getByPlaceholder("Find a filter").fill("dev");
  await userEvent.keyboard("{Enter}");
  const mobile = page.getByRole("checkbox", { name: /Phones/ });
  await expect.element(mobile).toHaveAccessibleName(/^Phones ?1,200$/);
  await expectAccessible();
  await mobile.click();
  await page.getByRole("checkbox", { name: /Tablets/ }).click();
  expect(search).toEqual({ device: ["mobile", "tablet"] });
  await page.getByPlaceholder("Find a value").fill("tab");
  await userEvent.keyboard("{Enter}");
  expect(search).toEqual({ device: ["mobile"] });
  await button("Done").click();
  await expect.element(button(/^\+ Filter/)).toHaveFocus();
});

test("a chip opens its editor, which can turn the filter round", async () => {
  await show({ device: ["mobile"] });
  await button("on phones").click();
  await page.getByRole("radio", { name: "is not" }).click({ force: true });
  expect(search).toEqual({ device: ["!mobile"] });
  await page.getByPlaceholder("Find a value").fill("zzz");
  await expect.element(page.getByText("Nothing found")).toBeVisible();
  await userEvent.keyboard("{Escape}");
  await expect.element(button("not on phones")).toBeVisible();
});

test("a filter is removed alone, or with all others", async () => {
  await show({ device: ["mobile"], browser: ["Firefox", "!Chrome"], period: "7d" });
  await expectAccessible();
  await button("Remove: on phones").click();
  expect(search).toEqual({ browser: ["Firefox", "!Chrome"], period: "7d" });
  await button("Remove all").click();
  expect(search).toEqual({ period: "7d" });
});
