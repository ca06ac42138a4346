import { afterEach, expect, test } from "vitest";
import { page } from "vitest/browser";
import { Kit } from "./Kit.tsx";
import { expectAccessible, render } from "./render.tsx";

afterEach(() => {
  document.documentElement.dir = "ltr";
});

test.each(["ltr", "rtl"])(
  "the whole kit is accessible in both themes, %s, and nothing is cut off",
  async (dir) => {
    document.documentElement.dir = dir;
    await page.viewport(390, 844);
    await render(<Kit />);
    await expect.element(page.getByRole("heading", { name: "Dialogs" })).toBeVisible();
    await expectAccessible();
    const { scrollWidth, clientWidth } = document.documentElement;
    expect(scrollWidth).toBe(clientWidth);
  },
);

test.each(["confirm", "panel"] as const)("so is a dialog: %s", async (open) => {
  await render(<Kit open={open} />);
  await expect.element(page.getByRole("dialog")).toBeVisible();
  await expectAccessible();
});
