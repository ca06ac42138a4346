import { Migrator } from "@mikro-orm/migrations";
import { EntityCaseNamingStrategy, MikroORM } from "@mikro-orm/postgresql";
import { PostgresDialect, type PostgresPool } from "kysely";
import type { Pool } from "pg";
import { ApiKeyEntity } from "../accounts/api-keys/api-key.row.ts";
import { DomainEntity } from "../domains/domain.row.ts";
import { BucketEntity } from "../links/buckets/bucket.row.ts";
import { LinkEntity } from "../links/link.row.ts";
import { IdentityEntity } from "../accounts/logins/identity.row.ts";
import { PasskeyEntity } from "../accounts/passkeys/passkey.row.ts";
import { LoginLinkEntity } from "../accounts/logins/login-links.ts";
import { SessionEntity } from "../accounts/sessions/session.row.ts";
import { ConsentEntity, MemberEntity, WorkspaceEntity } from "../accounts/workspaces/workspace.row.ts";
import { ActivityEntity } from "../accounts/activity/activity.row.ts";
import { ConnectionEntity } from "../accounts/oauth/connection.row.ts";
import { SharedReportEntity } from "../analytics/shared/shared-report.row.ts";
import { AlertEntity } from "../integrations/alerts/alert.row.ts";
import { DeliveryEntity, WebhookEntity } from "../integrations/webhooks/webhook.row.ts";
import { JobEntity } from "../rpc/jobs/job.row.ts";
import { parseDatabaseUrl } from "../db/database-url.ts";
import { BoundDriver } from "../db/bound-driver.ts";
import type { Orm } from "../db/em.ts";
import { type NamedMigration, withLocks } from "./locking.ts";
import { migrations as allMigrations } from "./migrations/migrations.ts";
import { tablesThat } from "./tables.ts";

const entities = [
  WorkspaceEntity,
  MemberEntity,
  ConsentEntity,
  ApiKeyEntity,
  SessionEntity,
  IdentityEntity,
  PasskeyEntity,
  LoginLinkEntity,
  DomainEntity,
  BucketEntity,
  LinkEntity,
  ActivityEntity,
  WebhookEntity,
  DeliveryEntity,
  AlertEntity,
  SharedReportEntity,
  JobEntity,
  ConnectionEntity,
] as const;

/** Creates the ORM on the given pool, which it does not end. */
export function createOrm(
  databaseUrl: string,
  pool: Pool,
  migrations: readonly NamedMigration[] = allMigrations,
): Orm {
  const shared: PostgresPool = {
    options: pool.options,
    connect: () => pool.connect(),
    end: async () => {},
  };
  return new MikroORM({
    driver: BoundDriver,
    entities: [...entities],
    // Only the name of the database is read: the pool connects.
    clientUrl: parseDatabaseUrl(databaseUrl).hosts[0] ?? databaseUrl,
    driverOptions: new PostgresDialect({ pool: shared }),
    namingStrategy: EntityCaseNamingStrategy,
    forceUtcTimezone: true,
    // Otherwise reading a link would join its bucket and its account only to check the filter.
    autoJoinRefsForFilters: false,
    // Migrations also make triggers, functions and the tables of counting, which have no entities.
    schemaGenerator: {
      ignoreTriggers: true,
      ignoreRoutines: true,
      skipViews: [/^(link|account)_.*(hours|values)$/, "users"],
      // The partitions of clicks are named after their months.
      skipTables: [/^clicks_/, ...tablesThat(({ entity }) => entity !== true)],
    },
    extensions: [Migrator],
    migrations: {
      migrationsList: migrations.map(withLocks),
      snapshot: false,
      silent: true,
      tableName: "migrations",
    },
  });
}
