import { useState } from "react";
import { expect, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { button, expectAccessible, render } from "./testing/render.tsx";
import { CheckList, Select } from "./Choices.tsx";
import { CountryField } from "./CountryField.tsx";
import { Field } from "./Field.tsx";
import { Moves } from "./Moves.tsx";
import { PopoverButton } from "./PopoverButton.tsx";
import { Rows } from "./Rows.tsx";
import { UrlField } from "./UrlField.tsx";
import { MainButton } from "./Button.tsx";

function Url({ start = "" }) {
  const [url, setUrl] = useState(start);
  return <UrlField label="URL" value={url} onChange={setUrl} />;
}
const url = page.getByLabelText("URL");

test("a URL gets the scheme that people leave out", async () => {
  await render(<Url />);
  await url.fill("example.com/launch");
  await userEvent.tab();
  await expect.element(url).toHaveValue("https://example.com/launch");
});

test("a mistyped scheme is pointed out, and mended by a press", async () => {
  await render(<Url start="htps://example.com" />);
  await expect.element(page.getByText("https://example.com", { exact: true })).toBeVisible();
  await expectAccessible();
  await button("Use it").click();
  await expect.element(url).toHaveValue("https://example.com");
});

test("a field is described by its hint, and by its error instead", async () => {
  await render(
    <>
      <Field label="Slug" hint="Leave empty for a random slug." />
      <Field label="Title" hint="Hint" error="At most 100 characters" />
    </>,
  );
  await expect.element(page.getByLabelText("Slug")).toHaveAccessibleDescription(/random/);
  await expect.element(page.getByLabelText("Title")).toHaveAccessibleDescription("At most 100 characters");
  await expect.element(page.getByLabelText("Title")).toHaveAttribute("aria-invalid", "true");
  await expectAccessible();
});

test("a long list has all its values when somebody comes to choose", async () => {
  const onChange = vi.fn();
  const values = Array.from({ length: 400 }, (_, at) => at);
  await render(<Select aria-label="Zone" value={7} values={values} onChange={onChange} isLong />);
  const list = page.getByRole("combobox");
  expect(list.element().children).toHaveLength(1);
  (list.element() as HTMLElement).focus();
  await list.selectOptions("399");
  expect(onChange).toHaveBeenCalledWith(399);
});

test("a country is found by a part of its name, and chosen with Enter", async () => {
  const onChange = vi.fn();
  await render(<CountryField label="Country" value={null} onChange={onChange} />);
  await page.getByRole("combobox").fill("germ");
  await expect.element(page.getByRole("option", { name: /Germany/ })).toBeVisible();
  await expectAccessible();
  await userEvent.keyboard("{Enter}");
  expect(onChange).toHaveBeenCalledWith("DE");
});

test("a button at work takes no press and keeps the focus", async () => {
  const onClick = vi.fn();
  await render(
    <MainButton isAtWork onClick={onClick}>
      Check now
    </MainButton>,
  );
  await button("Check now").click({ force: true });
  expect(onClick).not.toHaveBeenCalled();
  await expect.element(button("Check now")).toHaveFocus();
});

test("names are chosen one by one", async () => {
  const onChange = vi.fn();
  const names = ["link.created", "link.deleted"] as const;
  await render(
    <CheckList names={names} meaningOf={(name) => name} chosen={new Set(names)} onChange={onChange} />,
  );
  await page.getByRole("checkbox").first().click();
  expect([...onChange.mock.lastCall![0]]).toEqual(["link.deleted"]);
});

test("the first entry of a list moves only down", async () => {
  const move = vi.fn();
  const labels = { up: "Up", down: "Down", remove: "Remove" };
  await render(<Moves labels={labels} isFirst isLast={false} move={move} remove={() => {}} />);
  await expect.element(button("Up")).toBeDisabled();
  await button("Down").click();
  expect(move).toHaveBeenCalledWith(1);
});

test("a small dialog closes with Escape and gives the focus back", async () => {
  await render(
    <PopoverButton className="button secondary" text="Alerts" title="Alerts">
      {() => <p>Nothing yet.</p>}
    </PopoverButton>,
  );
  await button("Alerts").click();
  await expect.element(page.getByRole("dialog", { name: "Alerts" })).toBeVisible();
  await expectAccessible();
  await userEvent.keyboard("{Escape}");
  await expect.element(page.getByRole("dialog")).not.toBeInTheDocument();
  await expect.element(button("Alerts")).toHaveFocus();
});

test("rows wait, fail, are none, or are there", async () => {
  const refetch = vi.fn();
  const rows = (data: { id: string }[] | undefined, error: unknown = null) => (
    <Rows query={{ data, error, refetch }} none="No keys yet.">
      {({ id }) => <li>{id}</li>}
    </Rows>
  );
  await render(rows(undefined));
  expect(document.querySelector("[aria-busy]")).not.toBeNull();
  await render(rows(undefined, new Error("no answer")));
  await expectAccessible();
  await button("Try again").click();
  expect(refetch).toHaveBeenCalledOnce();
  await render(rows([]));
  await expect.element(page.getByText("No keys yet.")).toBeVisible();
  await render(rows([{ id: "a" }, { id: "b" }]));
  await expect.element(page.getByRole("listitem").nth(1)).toHaveTextContent("b");
});
