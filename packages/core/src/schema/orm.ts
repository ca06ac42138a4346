import { Migrator } from "@mikro-orm/migrations";
import { EntityCaseNamingStrategy, MikroORM } from "@mikro-orm/postgresql";
import { PostgresDialect, type PostgresPool } from "kysely";
import type { Pool } from "pg";
import { ApiKeyEntity } from "../accounts/api-keys/api-key.row.ts";
import { accountTables } from "../clicks/drain/rollups/rollups.ts";
import { linkTables } from "../clicks/drain/rollups/link-days.ts";
import { DomainEntity } from "../domains/domain.row.ts";
import { BucketEntity } from "../links/buckets/bucket.row.ts";
import { LinkEntity } from "../links/link.row.ts";
import { IdentityEntity } from "../accounts/logins/identity.row.ts";
import { LoginLinkEntity } from "../accounts/logins/login-links.ts";
import { SessionEntity } from "../accounts/sessions/session.row.ts";
import { ConsentEntity, UserEntity } from "../accounts/users/user.row.ts";
import { parseDatabaseUrl } from "../db/database-url.ts";
import type { Orm } from "../db/em.ts";
import { type NamedMigration, withLocks } from "./locking.ts";
import { migrations as allMigrations } from "./migrations/migrations.ts";

const entities = [
  UserEntity,
  ConsentEntity,
  ApiKeyEntity,
  SessionEntity,
  IdentityEntity,
  LoginLinkEntity,
  DomainEntity,
  BucketEntity,
  LinkEntity,
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
      skipViews: [/^(link|account)_.*(hours|values)$/],
      skipTables: [
        /^click(?:s|house)?(?:_|$)/,
        ...accountTables,
        ...linkTables,
        "activity",
        "alerts",
        "bucket_avatars",
        "changes",
        "deleted_links",
        "erased_days",
        "health_hosts",
        "idempotent_answers",
        "import_positions",
        "job_parts",
        "jobs",
        "link_changes",
        "link_ranks",
        "link_tags",
        "link_health",
        "password_guesses",
        "qr_logos",
        "reports",
        "schema_compatibility",
        "shared_reports",
        "tags",
        /^oauth_/,
        /^webhook/,
      ],
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
