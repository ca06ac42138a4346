import type { Account } from "../../kernel/context.ts";

/** The service at a glance. Times are ISO 8601 in UTC. */
export interface ServiceOverview {
  accounts: { total: number; suspended: number; created_this_week: number };
  domains: { pending: number; verified: number; failed: number };
  open_reports: number;
  database: {
    version: string;
    size_bytes: number;
    /** Connections to this database, and how many the server allows */
    connections: number;
    max_connections: number;
  };
  /** Bytes of this machine's click log that are not counted yet; null without a click log */
  waiting_bytes: number | null;
}

/** An account in the operator's list. */
export interface OperatorAccount extends Account {
  email_verified: boolean;
  created_at: string;
  suspended_at: string | null;
  /** When it will be erased, because its owner deleted it */
  deletes_at: string | null;
  is_operator: boolean;
}
