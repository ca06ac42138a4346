import { useState } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { Overlay } from "../../kit/Overlay.tsx";
import { button, expectAccessible, render } from "../../kit/testing/render.tsx";
import { ShortcutList } from "./ShortcutList.tsx";
import { enableShortcuts, useKey } from "../../kit/shortcuts.ts";
import { MainButton } from "../../kit/Button.tsx";

const run = vi.fn();

function Screen() {
  const [shown, setShown] = useState<"list" | "dialog">();
  const close = () => setShown(undefined);
  useKey("y", run, "Copy the short URL");
  return (
    <>
      <input className="input" aria-label="Search" />
      <MainButton onClick={() => setShown("dialog")}>Dialog</MainButton>
      <MainButton onClick={() => setShown("list")}>Shortcuts</MainButton>
      {shown === "dialog" && <Overlay title="Dialog" close={close} children="" />}
      {shown === "list" && <ShortcutList close={close} />}
    </>
  );
}

afterEach(() => {
  enableShortcuts(true);
  run.mockReset();
});

test("a key runs its action, except in fields, dialogs and with Ctrl", async () => {
  await render(<Screen />);
  await userEvent.keyboard("y");
  expect(run).toHaveBeenCalledOnce();
  await userEvent.keyboard("{Control>}y{/Control}");
  await page.getByLabelText("Search").click();
  await userEvent.keyboard("y");
  await expect.element(page.getByLabelText("Search")).toHaveValue("y");
  await button("Dialog").click();
  await expect.element(page.getByRole("dialog")).toBeVisible();
  await userEvent.keyboard("y");
  expect(run).toHaveBeenCalledOnce();
});

test("single keys can be switched off", async () => {
  enableShortcuts(false);
  await render(<Screen />);
  await userEvent.keyboard("y");
  expect(run).not.toHaveBeenCalled();
});

test("the list shows the keys of the screen", async () => {
  await render(<Screen />);
  await button("Shortcuts").click();
  await expect.element(page.getByText("Copy the short URL")).toBeVisible();
  await expectAccessible();
});
