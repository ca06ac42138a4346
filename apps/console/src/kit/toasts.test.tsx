import { expect, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { button, expectAccessible, render } from "./testing/render.tsx";
import { say, undoLast } from "./toasts.tsx";

test("a message can be taken back, once", async () => {
  const undo = vi.fn();
  const ended = vi.fn();
  await render(null);
  say("Deleted 50 links.", undo, ended);
  await expect.element(page.getByText(/^Deleted 50 links\./)).toBeVisible();
  await expectAccessible();
  await button("Undo").click();
  expect(undo).toHaveBeenCalledOnce();
  expect(ended).not.toHaveBeenCalled();
  expect(undoLast()).toBe(false);
});

test("a fourth message ends the first one, and dismissing ends the rest", async () => {
  const ended: number[] = [];
  await render(null);
  for (const at of [1, 2, 3, 4]) say(`Message ${at}`, undefined, () => ended.push(at));
  await expect.element(page.getByText(/^Message 4/)).toBeVisible();
  expect(ended).toEqual([1]);
  for (let left = 3; left > 0; left--) await button("Dismiss").first().click();
  await expect.poll(() => ended).toEqual([1, 2, 3, 4]);
});

test("a message stays as long as the focus is on it, then goes", async () => {
  vi.useFakeTimers();
  const ended = vi.fn();
  await render(null);
  say("Saved.", () => {}, ended);
  await expect.element(button("Undo")).toBeVisible();
  await userEvent.tab();
  await expect.element(button("Undo")).toHaveFocus();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(ended).not.toHaveBeenCalled();
  (document.activeElement as HTMLElement).blur();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(ended).toHaveBeenCalledOnce();
  vi.useRealTimers();
});
