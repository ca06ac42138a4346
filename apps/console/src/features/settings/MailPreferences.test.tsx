import { expect, test } from "vitest";
import { page } from "vitest/browser";
import type { Answers } from "../../kit/api/answers.ts";
import { api, queryClient } from "../../kit/api/api.ts";
import { expectAccessible, render } from "../../kit/testing/render.tsx";
import { MailPreferences } from "./MailPreferences.tsx";

const ids = ["workspace-a", "workspace-b"] as const;

async function show(reports: Answers["preferences"]["get"]["reports"]): Promise<void> {
  queryClient.setQueryData(api.preferences.get.queryKey(), {
    reports,
    notices: false,
    time_zone: "Europe/Berlin",
  });
  queryClient.setQueryData(
    api.workspaces.list.queryKey({}),
    ids.map((id) => ({ id, name: `Name of ${id}` })) as Answers["workspaces"]["list"],
  );
  queryClient.setQueryData(api.tags.list.queryKey(), [
    { id: "launch", name: "Launch", links: 1 },
    { id: "spring", name: "Spring", links: 1 },
  ]);
  await render(<MailPreferences />);
}

test("without reports there is only the choice of how often they come", async () => {
  await show({ frequency: "never", workspaces: [], tags: [] });
  await expect.element(page.getByRole("radio", { name: "Never" })).toBeChecked();
  await expect.element(page.getByRole("checkbox", { name: /^Notices/ })).not.toBeChecked();
  expect(page.getByRole("group").elements()).toHaveLength(0);
  await expectAccessible();
});

test("reports show what they cover, when they come, and tags of other workspaces by their number", async () => {
  await show({ frequency: "weekly", workspaces: [ids[1]], tags: ["spring", "elsewhere"] });
  await expect.element(page.getByRole("checkbox", { name: "Name of workspace-a" })).not.toBeChecked();
  await expect.element(page.getByRole("checkbox", { name: "Name of workspace-b" })).toBeChecked();
  await expect.element(page.getByRole("checkbox", { name: "Tag: Spring" })).toBeChecked();
  await expect.element(page.getByText("1 tag of another workspace")).toBeVisible();
  await expect.element(page.getByText(/at\s+eight\s+in\s+Europe\/Berlin/)).toBeVisible();
  const options = page.getByRole("combobox", { name: "Add a tag" }).getByRole("option");
  expect(options.elements().map(({ textContent }) => textContent)).toEqual(["Add a tag", "Launch"]);
  await expectAccessible();
});

test("a choice shows at once, and is taken back with the reason if the service refuses it", async () => {
  await show({ frequency: "weekly", workspaces: [ids[1]], tags: [] });
  const first = page.getByRole("checkbox", { name: "Name of workspace-a" });
  await first.click();
  // There is no service behind a component's test.
  await expect.element(page.getByRole("alert")).toBeVisible();
  await expect.element(first).not.toBeChecked();
});
