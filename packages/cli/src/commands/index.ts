import type { Command, Program } from "../command.ts";
import { completion } from "./completion.ts";
import { deleteLinks } from "./delete.ts";
import { edit } from "./edit.ts";
import { exportFile } from "./export.ts";
import { importFile } from "./import.ts";
import { createInvitation, listInvitations, withdrawInvitation } from "./invite.ts";
import { list } from "./list.ts";
import { login, logout, whoami } from "./login.ts";
import { move } from "./move.ts";
import { mcp, mcpLogin, mcpLogout } from "./mcp.ts";
import { listMembers, removeMember, setRole } from "./member.ts";
import { open } from "./open.ts";
import { qr } from "./qr.ts";
import { shorten } from "./shorten.ts";
import { show } from "./show.ts";
import { stats } from "./stats.ts";
import { watch } from "./watch.ts";
import { createWorkspace, listWorkspaces, showWorkspace, updateWorkspace } from "./workspace.ts";

/** All commands, in the order of the help. */
export const commands: readonly Command[] = [
  login,
  logout,
  whoami,
  shorten,
  list,
  show,
  edit,
  deleteLinks,
  move,
  stats,
  watch,
  qr,
  open,
  importFile,
  exportFile,
  listWorkspaces,
  showWorkspace,
  createWorkspace,
  updateWorkspace,
  listMembers,
  setRole,
  removeMember,
  createInvitation,
  listInvitations,
  withdrawInvitation,
  mcp,
  mcpLogin,
  mcpLogout,
  completion,
];

/** The program as it is published. */
export const program: Program = { commands, groups: [] };
