import { afterEach, expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { button, render } from "./testing/render.tsx";
import { CopiedText } from "./CopiedText.tsx";
import { Overlay } from "./Overlay.tsx";

const text = <CopiedText value="sk_live_1" label="the key" action="Copy the key" />;
const copied = () => expect.element(page.getByText(/^Copied the key/)).toBeVisible();

/** What `document.execCommand("copy")` put on the clipboard; browsers say it with an event. */
let selected = "";
const onCopy = () => (selected = (document.activeElement as HTMLTextAreaElement).value);

function withoutClipboard() {
  vi.spyOn(navigator, "clipboard", "get").mockReturnValue(undefined as unknown as Clipboard);
  selected = "";
  document.addEventListener("copy", onCopy);
}

afterEach(() => {
  document.removeEventListener("copy", onCopy);
  vi.restoreAllMocks();
});

test("a page without navigator.clipboard copies by selection, and keeps the focus", async () => {
  withoutClipboard();
  await render(text);
  await button("Copy the key").click();
  await copied();
  expect(selected).toBe("sk_live_1");
  await expect.element(button("Copy the key")).toHaveFocus();
  expect(document.querySelector("textarea")).toBeNull();
});

test("the same in a dialog, which keeps the focus inside", async () => {
  withoutClipboard();
  await render(
    <Overlay title="Key" close={() => {}}>
      {text}
    </Overlay>,
  );
  await button("Copy the key").click();
  await expect.poll(() => selected).toBe("sk_live_1");
  await expect.element(button("Copy the key")).toHaveFocus();
});

test("a clipboard that refuses leaves it to the selection", async () => {
  withoutClipboard();
  vi.spyOn(navigator, "clipboard", "get").mockReturnValue({
    writeText: () => Promise.reject(new DOMException("no", "NotAllowedError")),
  } as unknown as Clipboard);
  await render(text);
  await button("Copy the key").click();
  await copied();
  expect(selected).toBe("sk_live_1");
});

test("what cannot be copied is said", async () => {
  withoutClipboard();
  vi.spyOn(document, "execCommand").mockReturnValue(false);
  await render(text);
  await button("Copy the key").click();
  await expect.element(page.getByText(/^Your browser blocked copying the key/)).toBeVisible();
});
