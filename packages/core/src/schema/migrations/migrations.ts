import { Accounts } from "./0001-accounts.ts";
import { Domains } from "./0002-domains.ts";
import { Links } from "./0003-links.ts";
import { Clicks } from "./0004-clicks.ts";
import { Rollups } from "./0005-rollups.ts";
import { History } from "./0006-history.ts";
import { Internals } from "./0007-internals.ts";
import { Integrations } from "./0008-integrations.ts";
import { Announcements } from "./0009-announcements.ts";

/** All migrations, in order: a baseline by area, and what changed since. Never edit a released migration; add another one. */
export const migrations = [
  { name: "0001-accounts", class: Accounts },
  { name: "0002-domains", class: Domains },
  { name: "0003-links", class: Links },
  { name: "0004-clicks", class: Clicks },
  { name: "0005-rollups", class: Rollups },
  { name: "0006-history", class: History },
  { name: "0007-internals", class: Internals },
  { name: "0008-integrations", class: Integrations },
  { name: "0009-announcements", class: Announcements },
];
