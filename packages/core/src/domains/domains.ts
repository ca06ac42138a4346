import type { DomainDeps } from "./call.ts";
import type { Domains } from "./domains.types.ts";
import { createDomainChecks } from "./checks.ts";
import { domainName, maxDomainLength } from "./domain-name.ts";

/** Custom-domain operations that are not RPC procedures: certificates and hourly checks. */
export function createDomains(deps: DomainDeps): Domains {
  const checks = createDomainChecks(deps);

  return {
    async isServed(host) {
      const name = domainName(host);
      if (deps.ownHosts.includes(name)) return true;
      if (name.length > maxDomainLength || !/^[a-z0-9.-]+$/.test(name)) return false;
      const { rowCount } = await deps.pool.query({
        name: "is-verified-domain",
        text: "select from domains where domain = $1 and status = 'verified'",
        values: [name],
      });
      return rowCount === 1;
    },
    checkDue: () => checks.once(),
    startChecks: () => checks.start(),
    close: () => checks.stop(),
  };
}
