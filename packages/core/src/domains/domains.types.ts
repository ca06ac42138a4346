/** What of custom domains is no procedure. */
export interface Domains {
  /** True for the service's own hosts and for verified custom domains: those that may have a certificate. One read. */
  isServed(host: string): Promise<boolean>;
  /** Looks up the records of every domain that was not looked at for an hour; answers how many. Throws without a database. */
  checkDue(): Promise<number>;
  /** Keeps doing that until the core is closed, database or not. Any number of nodes may; keeps no process alive. */
  startChecks(): void;
  close(): Promise<void>;
}
