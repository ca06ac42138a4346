import { useState } from "react";
import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { button, expectAccessible, render } from "../../../kit/testing/render.tsx";
import { draftOf } from "../draft.ts";
import { type Rule, newConditional } from "./rules-draft.ts";
import { RulesGroup } from "./RulesGroup.tsx";

let rules: Rule[];

function Group({
  start = [],
  errors = {},
  hasOptions = true,
}: {
  start?: Rule[];
  errors?: object;
  hasOptions?: boolean;
}) {
  const [draft, setDraft] = useState(() => ({ ...draftOf(undefined, ""), rules: start.map(newConditional) }));
  rules = draft.rules.map(({ when, url }) => ({ when, url }));
  const change = (part: object) => setDraft((before) => ({ ...before, ...part }));
  return <RulesGroup draft={draft} change={change} hasOptions={hasOptions} errors={{ ...errors }} />;
}

const phones: Rule = { when: { device: ["mobile"] }, url: "https://m.example" };
const germans: Rule = { when: { country: ["DE"] }, url: "https://de.example" };
const conditions = (rule: string) => page.getByRole("combobox", { name: `Add a condition to ${rule}` });

test("a rule is made of conditions and a URL", async () => {
  await render(<Group />);
  await button("+ Rule").click();
  await expect.element(conditions("Rule 1")).toHaveFocus();
  await conditions("Rule 1").selectOptions("device");
  await button("Phones").click();
  await conditions("Rule 1").selectOptions("weekly");
  await expect.element(page.getByLabelText("From")).toHaveValue("09:00");
  await page.getByLabelText("Rule 1 leads to").fill("m.example");
  await userEvent.tab();
  expect(rules).toMatchObject([
    { when: { device: ["mobile"], weekly: { from: "09:00" } }, url: "https://m.example" },
  ]);
  await expectAccessible();
});

test("rules move by button, and the focus moves with them", async () => {
  await render(<Group start={[phones, germans]} />);
  await button("Move Rule 2 up").click();
  expect(rules).toEqual([germans, phones]);
  await expect.element(button("Move Rule 1 down")).toHaveFocus();
  await userEvent.keyboard("{Enter}");
  expect(rules).toEqual([phones, germans]);
  await button("Remove Rule 1").click();
  expect(rules).toEqual([germans]);
  await expect.element(button("+ Rule")).toHaveFocus();
});

test("values of a condition are added with Enter and taken back one by one", async () => {
  await render(<Group start={[{ when: { referrer: ["a.example"] }, url: "" }]} />);
  const field = page.getByRole("textbox", { name: "Referrer" });
  await field.fill("b.example");
  await userEvent.keyboard("{Enter}");
  expect(rules[0]?.when.referrer).toEqual(["a.example", "b.example"]);
  await button("Remove a.example").click();
  expect(rules[0]?.when.referrer).toEqual(["b.example"]);
});

test("what is wrong stands at its rule and condition", async () => {
  const errors = {
    "rules.0.url": "Enter a URL",
    "rules.1.when.country": "Unknown country",
    "rules.1.when": "Choose",
  };
  await render(<Group start={[phones, germans]} errors={errors} />);
  await expect.element(page.getByLabelText("Rule 1 leads to")).toHaveAccessibleDescription("Enter a URL");
  await expect.element(page.getByText("Unknown country")).toBeVisible();
  await expectAccessible();
});

test("without the plan, rules are shown and cannot be changed", async () => {
  await render(<Group start={[phones]} hasOptions={false} />);
  await expect.element(button("+ Rule")).toBeDisabled();
  await expect.element(page.getByLabelText("Rule 1 leads to")).toBeDisabled();
  await expectAccessible();
});
