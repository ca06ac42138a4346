import type { Source } from "../../kernel/context.ts";
import type { Role } from "../../kernel/roles.ts";

/** What members of a group may do; see `CoreOptions.groupRoles`. */
export interface GroupRole {
  group: string;
  /** Id or slug of a workspace, or "*" for all */
  workspace: string;
  /** "operator" is a role in the whole service, which only sign-in providers give */
  role: Exclude<Role, "owner"> | "operator";
}

/** An address of a person, as their directory sends it. */
export interface DirectoryEmail {
  value: string;
  type?: string;
  primary?: boolean;
}

/** What is kept of a person in a directory (RFC 7643, section 4.1), with its names. */
export interface PersonAttributes {
  userName: string;
  externalId?: string;
  displayName?: string;
  name?: { formatted?: string; givenName?: string; familyName?: string };
  emails?: DirectoryEmail[];
  active: boolean;
}

/** A reference to a group of a person, or to a member of a group. */
export interface DirectoryReference {
  id: string;
  display: string;
}

interface Kept {
  id: string;
  /** ISO 8601 in UTC */
  created_at: string;
  updated_at: string;
}

/** A person of a directory. `id` is of this directory only. */
export interface DirectoryPerson extends PersonAttributes, Kept {
  groups: DirectoryReference[];
}

export interface GroupAttributes {
  displayName: string;
  externalId?: string;
}

/** A group of a directory; `members` is absent if they were not asked for. */
export interface DirectoryGroup extends GroupAttributes, Kept {
  members?: DirectoryReference[];
}

/** A change of a group's members by their ids; several are made in order. */
export interface MembersChange {
  kind: "set" | "add" | "remove";
  ids: readonly string[];
}

/** A change of a group. Null removes the external id. */
export interface GroupChange {
  displayName?: string;
  externalId?: string | null;
  members: readonly MembersChange[];
}

/** Entries have all of these values; user names, group names and addresses are compared regardless of case. */
export interface DirectoryFilter {
  id?: string;
  userName?: string;
  displayName?: string;
  externalId?: string;
  email?: string;
  member?: string;
  active?: boolean;
}

export interface DirectoryPage {
  filter: DirectoryFilter;
  offset: number;
  limit: number;
}

/**
 * What a company's directory keeps here: people and groups of one workspace. Ids of other workspaces are 404. What a method
 * refuses is an AppError: 404, 409 if a name is taken, 400 for a person without an address or the owner of the workspace.
 */
export interface Directory {
  readonly workspaceId: string;
  people(page: DirectoryPage): Promise<{ total: number; entries: DirectoryPerson[] }>;
  person(id: string): Promise<DirectoryPerson>;
  addPerson(attributes: PersonAttributes): Promise<DirectoryPerson>;
  /** Changes a person, whose row is locked meanwhile. */
  changePerson(
    id: string,
    change: (attributes: PersonAttributes) => PersonAttributes,
  ): Promise<DirectoryPerson>;
  removePerson(id: string): Promise<void>;
  groups(page: DirectoryPage, withMembers: boolean): Promise<{ total: number; entries: DirectoryGroup[] }>;
  group(id: string, withMembers: boolean): Promise<DirectoryGroup>;
  addGroup(attributes: GroupAttributes, members: readonly string[]): Promise<DirectoryGroup>;
  changeGroup(id: string, change: GroupChange): Promise<void>;
  removeGroup(id: string): Promise<void>;
}

/** A token of a company's directory, for one workspace. */
export interface ScimToken {
  id: string;
  workspace: { id: string; name: string };
  name: string | null;
  created_at: string;
  last_used_at: string | null;
}

/** Provisioning by companies' directories (SCIM 2.0). */
export interface Scim {
  /** The directory of a token; null if the token is unknown. */
  open(token: string, source?: Source): Promise<Directory | null>;
  /** Creates a token for a workspace, by its id or slug. It is shown once. 404 if there is no such workspace. */
  issue(workspace: string, name?: string): Promise<ScimToken & { token: string }>;
  list(workspace: string): Promise<ScimToken[]>;
  /** False if there is none. The people and groups stay as they are. */
  revoke(id: string): Promise<boolean>;
}
