import axe from "axe-core";
import type { ReactNode } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, expect } from "vitest";
import { page } from "vitest/browser";
import { Around } from "./Around.tsx";
import "../../style/style.ts";

let root: Root | undefined;

/** Shows a component as the console would: in English, with a router, messages, and no service behind it. */
export async function render(children: ReactNode): Promise<void> {
  clear();
  const container = document.createElement("main");
  document.body.append(container);
  root = createRoot(container);
  root.render(<Around>{children}</Around>);
  await expect.poll(() => container.childElementCount).toBeGreaterThan(0);
}

function clear() {
  root?.unmount();
  root = undefined;
  dispatchEvent(new Event("pagehide")); // which ends all messages
  document.body.replaceChildren();
}
afterEach(clear);

/** Expects that axe finds nothing wrong with what is shown, in both themes. */
export async function expectAccessible(): Promise<void> {
  for (const theme of ["light", "dark"]) {
    document.documentElement.dataset["theme"] = theme;
    await Promise.allSettled(document.getAnimations().map(({ finished }) => finished));
    const { violations } = await axe.run(document.body, {
      resultTypes: ["violations"],
      rules: { region: { enabled: false }, "page-has-heading-one": { enabled: false } },
    });
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
  }
}

/** The button of that name. */
export const button = (name: string | RegExp) => page.getByRole("button", { name });
