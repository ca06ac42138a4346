import { useState } from "react";
import { expect, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { button, expectAccessible, render } from "./testing/render.tsx";
import { Confirm } from "./Confirm.tsx";
import { Field } from "./Field.tsx";
import { FormPanel } from "./FormPanel.tsx";
import { Button } from "./Button.tsx";

const close = vi.fn();
const save = vi.fn<(name: string) => Promise<void>>();

function Form() {
  const [name, setName] = useState("launch");
  const [error, setError] = useState<string>();
  const submit = () =>
    save(name).catch((refusal: Error) => {
      setError(refusal.message);
      throw refusal;
    });
  return (
    <FormPanel title="Edit" saveLabel="Save" isChanged={name !== "launch"} close={close} save={submit}>
      <Field label="Name" value={name} error={error} onChange={setName} />
      <Button>Other</Button>
    </FormPanel>
  );
}

const field = page.getByLabelText("Name");
const open = async () => {
  close.mockReset();
  save.mockReset().mockResolvedValue();
  await render(<Form />);
  await expect.element(field).toBeVisible();
};

test("a form that is as it was closes at once", async () => {
  await open();
  await expectAccessible();
  await userEvent.keyboard("{Escape}");
  expect(close).toHaveBeenCalledOnce();
});

test("a changed form asks first, and keeps what was typed", async () => {
  await open();
  await field.fill("spring");
  await userEvent.keyboard("{Escape}");
  await expect.element(page.getByRole("alert")).toBeVisible();
  await expect.element(button("Keep editing")).toHaveFocus();
  await expectAccessible();
  await button("Keep editing").click();
  await expect.element(field).toHaveFocus();
  await expect.element(field).toHaveValue("spring");
  await userEvent.keyboard("{Escape}");
  await button(/Discard/).click();
  expect(close).toHaveBeenCalledOnce();
  expect(save).not.toHaveBeenCalled();
});

test("Ctrl+Enter saves from any field, once", async () => {
  await open();
  let done = () => {};
  save.mockReturnValue(new Promise((resolve) => (done = resolve)));
  await field.fill("spring");
  await button("Other").click();
  await userEvent.keyboard("{Control>}{Enter}{Enter}{/Control}");
  expect(save.mock.calls).toEqual([["spring"]]);
  await expect.element(button("Save")).toHaveAttribute("aria-disabled", "true");
  expect(close).not.toHaveBeenCalled();
  done();
  await expect.poll(() => close.mock.calls.length).toBe(1);
});

test("a refusal stands at its field, which gets the focus", async () => {
  await open();
  save.mockRejectedValue(new Error("This name is taken"));
  await field.fill("taken");
  await button("Save").click();
  await expect.element(field).toHaveFocus();
  await expect.element(field).toHaveAccessibleDescription("This name is taken");
  await expectAccessible();
  expect(close).not.toHaveBeenCalled();
});

test("a question before a deletion starts on Cancel, and does not act twice", async () => {
  const remove = vi.fn();
  const question = (isPending: boolean) => (
    <Confirm title="Delete?" action="Delete" isPending={isPending} close={close} onConfirm={remove}>
      <p>Two links stop working.</p>
    </Confirm>
  );
  await render(question(false));
  await expect.element(button("Cancel")).toHaveFocus();
  await expectAccessible();
  await button("Delete").click();
  expect(remove).toHaveBeenCalledOnce();
  await render(question(true));
  await button("Delete").click({ force: true });
  expect(remove).toHaveBeenCalledOnce();
});
