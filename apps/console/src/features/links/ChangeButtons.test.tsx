import type { Role } from "@terse/core/browser";
import { beforeEach, expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { api, queryClient } from "../../kit/api/api.ts";
import { button, expectAccessible, render } from "../../kit/testing/render.tsx";
import { ChangeButtons } from "./ChangeButtons.tsx";

const [ada, eve] = ["01900000-0000-7000-8000-00000000000a", "01900000-0000-7000-8000-00000000000e"];
const members = [
  { user_id: eve, name: "Eve" },
  { user_id: ada, name: "Ada" },
];

/** Shows the buttons to Ada, who has a role in a workspace. */
async function show(role: Role, team: readonly object[] = members, workspaces: readonly object[] = []) {
  const workspace = { id: ada, slug: "acme", name: "Acme", role, personal: team.length < 2 };
  const me = { id: ada, name: "Ada", email: "ada@example.com", plan: "pro", workspace };
  queryClient.setQueryData(api.users.me.queryKey(), me as never);
  queryClient.setQueryData(api.members.list.queryKey(), team as never);
  queryClient.setQueryData(api.workspaces.list.queryKey({}), workspaces as never);
  const calls = {
    setActive: vi.fn(),
    expire: vi.fn(),
    retag: vi.fn(),
    handOver: vi.fn(),
    move: vi.fn(),
    remove: vi.fn(),
  };
  await render(
    <section aria-label="Selected">
      <p>2 selected</p>
      <ChangeButtons count={2} {...calls} />
    </section>,
  );
  return calls;
}

beforeEach(() => queryClient.clear());

test("a member with a role that changes nothing has none of the buttons", async () => {
  await show("viewer");
  expect(page.getByRole("button").elements()).toEqual([]);
});

test("an editor hands links over to another member", async () => {
  const { handOver } = await show("editor");
  await button("Hand over…").click();
  const maker = page.getByLabelText("New maker");
  await expect.element(maker).toHaveValue(ada);
  await expectAccessible();
  await maker.selectOptions("Eve");
  await button("Hand over").click();
  expect(handOver).toHaveBeenCalledExactlyOnceWith(members[0]);
});

test("in a workspace of one person, links have nobody to be handed over to", async () => {
  const { remove } = await show("owner", members.slice(1));
  await expect.element(button("Switch off")).toBeVisible();
  expect(button("Hand over…").elements()).toEqual([]);
  await button("Delete").click();
  expect(remove).toHaveBeenCalledOnce();
});

test("links move to another workspace, in which the person is at least an editor", async () => {
  const others = [
    { id: ada, name: "Acme", role: "owner", deletes_at: null },
    { id: eve, name: "Marketing", role: "editor", deletes_at: null },
    { id: "1", name: "Board", role: "viewer", deletes_at: null },
    { id: "2", name: "Gone", role: "owner", deletes_at: "2027-01-01T00:00:00Z" },
  ];
  const { move } = await show("editor", members, others);
  await button("Move…").click();
  const select = page.getByLabelText("Workspace");
  await expect.element(select).toBeVisible();
  await expectAccessible();
  const { options } = select.element() as HTMLSelectElement;
  expect(Array.from(options, ({ text }) => text)).toEqual(["Marketing"]);
  await button("Move").click();
  expect(move).toHaveBeenCalledExactlyOnceWith(others[1]);
});
