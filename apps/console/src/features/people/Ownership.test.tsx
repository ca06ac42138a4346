import { beforeEach, expect, test } from "vitest";
import { page } from "vitest/browser";
import { api, queryClient } from "../../kit/api/api.ts";
import { button, expectAccessible, render } from "../../kit/testing/render.tsx";
import { Ownership } from "./Ownership.tsx";
import type { Workspace } from "./roles.ts";

const ada = { user_id: "ada", name: "Ada", email: "ada@example.com", role: "owner" };
const bob = { user_id: "bob", name: "Bob", email: "bob@example.com", role: "editor" };
const acme = { id: "acme", name: "Acme", offered_to: null } as unknown as Workspace;

/** Shows the workspace to one of its members. */
async function showTo({ user_id, role }: typeof ada, offered_to: string | null, members = [ada, bob]) {
  queryClient.setQueryData(api.users.me.queryKey(), { id: user_id, workspace: { role } } as never);
  queryClient.setQueryData(api.members.list.queryKey(), members as never);
  await render(<Ownership workspace={{ ...acme, offered_to }} />);
}
beforeEach(() => queryClient.clear());

test("the owner offers it to a member, by keyboard too", async () => {
  await showTo(ada, null);
  await button(/^Transfer/).click();
  const owner = page.getByLabelText("New owner");
  await expect.element(owner).toHaveDisplayValue("Bob (bob@example.com)");
  await expectAccessible();
});

test("an owner alone is told to invite somebody first", async () => {
  await showTo(ada, null, [ada]);
  await expect.element(page.getByText(/first invite somebody/)).toBeVisible();
  expect(button(/^Transfer/).elements()).toEqual([]);
});

test("an offer can be withdrawn by the owner, and answered by the member alone", async () => {
  await showTo(ada, "bob");
  await expect.element(page.getByText(/^Offered to Bob/)).toBeVisible();
  await expect.element(button("Withdraw the offer")).toBeVisible();
  expect(button("Accept").elements()).toEqual([]);
  await expectAccessible();
  await showTo(bob, "bob");
  await expect.element(page.getByText(/^Ada would like you to own/)).toBeVisible();
  await expect.element(button("Accept")).toBeVisible();
  await expect.element(button("Decline")).toBeVisible();
  await expectAccessible();
  await showTo({ ...bob, user_id: "eve" }, "bob");
  await expect.element(page.getByText("Ada owns this workspace.")).toBeVisible();
  expect(page.getByRole("button").elements()).toEqual([]);
});
