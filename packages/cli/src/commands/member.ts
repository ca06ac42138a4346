import type { Client, Member } from "@terse/client";
import { roleNames } from "@terse/core/browser";
import { type Command, UsageError } from "../command.ts";
import { table } from "../terminal.ts";

const named = "MEMBER is an id or an e-mail address.";

export const listMembers: Command = {
  name: "member list",
  args: "",
  summary: "List the members of the workspace",
  async run({ client, terminal }) {
    const members = await client.members.list();
    if (terminal.isJson) return terminal.json(members);
    const rows = members.map(({ name, email, role, joined_at, user_id }) => [
      name,
      email,
      role,
      joined_at.slice(0, 10),
      user_id,
    ]);
    table(terminal, ["NAME", "E-MAIL", "ROLE", "JOINED", "ID"], rows);
  },
};

export const setRole: Command = {
  name: "member set-role",
  args: "MEMBER",
  summary: "Give a member another role, up to your own",
  details: named,
  options: {
    role: {
      value: "ROLE",
      help: "The new role",
      choices: roleNames.filter((role) => role !== "owner"),
      required: true,
    },
  },
  examples: ["terse member set-role ada@example.com --role editor"],
  async run({ args: [member = ""], client, terminal, text }) {
    const user_id = await idOf(client, member);
    const changed = await client.members.update({ user_id, role: text("role") as "viewer" });
    if (terminal.isJson) terminal.json(changed);
    else terminal.print(`${changed.email} is ${changed.role} now`);
  },
};

export const removeMember: Command = {
  name: "member remove",
  args: "MEMBER",
  summary: "Remove a member, or leave the workspace",
  details: `${named} Their API keys of the workspace end at once; their links stay.`,
  async run({ args: [member = ""], client, terminal }) {
    const removed = await client.members.remove({ user_id: await idOf(client, member) });
    if (terminal.isJson) terminal.json(removed);
    else terminal.print(`${member} is no longer a member`);
  },
};

async function idOf(client: Client, member: string): Promise<string> {
  if (!member.includes("@")) return member;
  const members: readonly Member[] = await client.members.list();
  const found = members.find(({ email }) => email === member.toLowerCase());
  if (!found) throw new UsageError(`No member has the address ${member}`);
  return found.user_id;
}
