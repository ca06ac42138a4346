import type { Workspace } from "@terse/client";
import type { Command, Option } from "../command.ts";
import { safe, table, type Terminal } from "../terminal.ts";

const slug: Option = { value: "SLUG", help: "Its short name, of small letters, digits and hyphens" };

export const listWorkspaces: Command = {
  name: "workspace list",
  args: "",
  summary: "List your workspaces",
  details: "With an API key, only the key's own.",
  async run({ client, terminal }) {
    const workspaces = await client.workspaces.list();
    if (terminal.isJson) return terminal.json(workspaces);
    const rows = workspaces.map((each) => [
      each.slug,
      each.name,
      each.role,
      each.plan,
      String(each.members),
      each.id,
    ]);
    table(terminal, ["SLUG", "NAME", "ROLE", "PLAN", "MEMBERS", "ID"], rows);
  },
};

export const showWorkspace: Command = {
  name: "workspace show",
  args: "[WORKSPACE]",
  summary: "Show a workspace",
  details: "WORKSPACE is an id or a slug; without it, the one that the key is of.",
  async run({ args: [named], client, terminal }) {
    const id = named ?? (await client.users.me()).workspace.id;
    print(terminal, await client.workspaces.get({ id }));
  },
};

export const createWorkspace: Command = {
  name: "workspace create",
  args: "NAME",
  summary: "Create a workspace, which you own",
  options: { slug: { ...slug, help: `${slug.help}; default: made from NAME` } },
  examples: ['terse workspace create "Acme marketing" --slug acme'],
  async run({ args: [name = ""], client, terminal, text }) {
    print(terminal, await client.workspaces.create({ name, slug: text("slug") }));
  },
};

export const updateWorkspace: Command = {
  name: "workspace update",
  args: "WORKSPACE",
  summary: "Rename a workspace",
  options: { name: { value: "NAME", help: "What people see" }, slug },
  async run({ args: [id = ""], client, terminal, text }) {
    print(terminal, await client.workspaces.update({ id, name: text("name"), slug: text("slug") }));
  },
};

function print(terminal: Terminal, workspace: Workspace): void {
  if (terminal.isJson) return terminal.json(workspace);
  const { id, name, role, plan, members, created_at } = workspace;
  const lines = { id, slug: workspace.slug, name, role, plan, members, created: created_at };
  for (const [title, value] of Object.entries(lines))
    terminal.draw(`${terminal.style("dim", title.padEnd(8))} ${safe(String(value))}`);
}
