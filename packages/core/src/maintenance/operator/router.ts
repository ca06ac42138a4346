import { router } from "../../rpc/procedure.ts";
import { account, resume, setPlan, suspend } from "./account.ts";
import { accounts } from "./accounts.ts";
import { disableLink, enableLink, findLinks } from "./links.ts";
import { overview } from "./overview.ts";
import { closeReports, reports } from "./reports.ts";

/**
 * What operators do in the console. A router of its own: neither REST nor MCP offers it, and no API key opens it. Scripts use
 * the admin command, which does the same.
 */
export const operatorRouter = router({
  overview,
  accounts,
  account,
  setPlan,
  suspend,
  resume,
  findLinks,
  disableLink,
  enableLink,
  reports,
  closeReports,
});
export type OperatorRouter = typeof operatorRouter;
