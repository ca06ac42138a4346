import { useState } from "react";
import { beforeEach, expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { expectAccessible, render } from "./testing/render.tsx";
import { DayField } from "./DayField.tsx";
import { changeZone } from "./format/format.ts";
import { TimeField } from "./TimeField.tsx";

let value: string | null;

function Field({ minute, start = null }: { minute?: "first" | "last"; start?: string | null }) {
  const [time, setTime] = useState(start);
  value = time;
  return <TimeField label="Ends on" value={time} onChange={setTime} {...(minute && { minute })} />;
}

const part = (name: RegExp) => page.getByRole("spinbutton", { name });

beforeEach(() => changeZone("Europe/Berlin"));

test("a time that is typed is one in the viewer's zone", async () => {
  await render(<Field />);
  await part(/month/).click();
  await userEvent.keyboard("013120310230PM");
  await expect.poll(() => value).toBe("2031-01-31T13:30:00.000Z");
  await expectAccessible();
});

test("a day alone stands for its first or last minute", async () => {
  await render(<Field minute="last" />);
  await part(/month/).click();
  await userEvent.keyboard("07042031");
  await expect.poll(() => value).toBe("2031-07-04T21:59:00.000Z");
});

test("what is missing is said when the field is left", async () => {
  await render(<Field />);
  await part(/month/).click();
  await userEvent.keyboard("07");
  await userEvent.click(document.body);
  await expect.element(page.getByText(/day/i).last()).toBeVisible();
  await expectAccessible();
});

test("the calendar picks a day and keeps the time", async () => {
  await render(<Field start="2031-01-31T13:30:00.000Z" />);
  await page.getByRole("button", { name: /calendar|Ends on/i }).click();
  await page.getByRole("button", { name: /January 15/ }).click();
  await expect.poll(() => value).toBe("2031-01-15T13:30:00.000Z");
});

test("a day has no time", async () => {
  let day: string | undefined;
  await render(<DayField label="From" value="2031-01-31" onChange={(next) => (day = next ?? undefined)} />);
  await part(/day/).click();
  await userEvent.keyboard("{ArrowUp}");
  await expect.poll(() => day).toBe("2031-01-01");
  await expectAccessible();
});
