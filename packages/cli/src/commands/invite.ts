import { roleNames } from "@terse/core/browser";
import type { Command } from "../command.ts";
import { table } from "../terminal.ts";

export const createInvitation: Command = {
  name: "invite create",
  args: "[EMAIL]",
  summary: "Invite someone to the workspace",
  details:
    "Prints the address that accepts it, once, and mails it to EMAIL. It works once: for the person with this verified e-mail address or, without one, for whoever has it.",
  options: {
    role: {
      value: "ROLE",
      help: "Role of the new member, up to your own; default: viewer",
      choices: roleNames.filter((role) => role !== "owner"),
    },
    days: { value: "NUMBER", help: "How long it can be accepted; default: 7" },
  },
  examples: ["terse invite create ada@example.com --role editor"],
  async run({ args: [email], client, terminal, text, count }) {
    const role = (text("role") ?? "viewer") as "viewer";
    const made = await client.invitations.create({ email, role, expires_in_days: count("days") });
    if (terminal.isJson) terminal.json(made);
    else terminal.print(made.url);
  },
};

export const listInvitations: Command = {
  name: "invite list",
  args: "",
  summary: "List open invitations",
  async run({ client, terminal }) {
    const invitations = await client.invitations.list();
    if (terminal.isJson) return terminal.json(invitations);
    const rows = invitations.map(({ id, email, role, expires_at }) => [
      email ?? "anyone with the link",
      role,
      expires_at.slice(0, 10),
      id,
    ]);
    table(terminal, ["FOR", "ROLE", "ENDS", "ID"], rows);
  },
};

export const withdrawInvitation: Command = {
  name: "invite withdraw",
  args: "ID",
  summary: "Withdraw an invitation, by its id in `invite list`",
  async run({ args: [id = ""], client, terminal }) {
    const gone = await client.invitations.withdraw({ id });
    if (terminal.isJson) terminal.json(gone);
    else terminal.print(`${id} is withdrawn`);
  },
};
