import { accounts } from "./0001-accounts.ts";
import { domains } from "./0002-domains.ts";
import { links } from "./0003-links.ts";
import { clicks } from "./0004-clicks.ts";
import { rollups } from "./0005-rollups.ts";
import { history } from "./0006-history.ts";
import { internals } from "./0007-internals.ts";
import { integrations } from "./0008-integrations.ts";
import { announcements } from "./0009-announcements.ts";
import { workspaces } from "./0010-workspaces.ts";
import { mail } from "./0011-mail.ts";
import { passkeys } from "./0012-passkeys.ts";
import { activity } from "./0013-activity.ts";
import { createdBy } from "./0014-created-by.ts";
import { scim } from "./0015-scim.ts";
import { reports } from "./0016-reports.ts";
import { sharedDomains } from "./0017-shared-domains.ts";
import { deactivated } from "./0018-deactivated.ts";

/** All migrations, in order: a baseline by area, and what changed since. Never edit a released migration; add another one. */
export const migrations = [
  { name: "0001-accounts", sql: accounts },
  { name: "0002-domains", sql: domains },
  { name: "0003-links", sql: links },
  { name: "0004-clicks", sql: clicks },
  { name: "0005-rollups", sql: rollups },
  { name: "0006-history", sql: history },
  { name: "0007-internals", sql: internals },
  { name: "0008-integrations", sql: integrations },
  { name: "0009-announcements", sql: announcements },
  { name: "0010-workspaces", sql: workspaces },
  { name: "0011-mail", sql: mail },
  { name: "0012-passkeys", sql: passkeys },
  { name: "0013-activity", sql: activity },
  { name: "0014-created-by", sql: createdBy },
  { name: "0015-scim", sql: scim },
  { name: "0016-reports", sql: reports },
  { name: "0017-shared-domains", sql: sharedDomains },
  { name: "0018-deactivated", sql: deactivated },
];
