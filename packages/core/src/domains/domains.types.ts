/** Custom-domain operations that are not RPC procedures. */
export interface Domains {
  /** True for the service's own hosts and verified custom domains, which may get a certificate. One read. */
  isServed(host: string): Promise<boolean>;
  /** Checks every domain that was not checked for an hour; returns how many. Throws if the database is unreachable. */
  checkDue(): Promise<number>;
  /** Repeats that until the core is closed. Safe on several nodes at once; does not keep the process alive. */
  startChecks(): void;
  close(): Promise<void>;
}
