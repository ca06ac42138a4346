import { Migrator } from "@mikro-orm/migrations";
import { EntityCaseNamingStrategy, MikroORM } from "@mikro-orm/postgresql";
import type { Pool } from "pg";
import { ApiKeyEntity } from "../api-keys/index.ts";
import { DomainEntity } from "../domains/index.ts";
import { BucketEntity, LinkEntity } from "../links/index.ts";
import { IdentityEntity, LoginLinkEntity } from "../logins/index.ts";
import { SessionEntity } from "../sessions/index.ts";
import { ConsentEntity, UserEntity } from "../users/index.ts";
import { migrations } from "./migrations/index.ts";

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

export type Orm = ReturnType<typeof createOrm>["orm"];
export type Em = ReturnType<Orm["em"]["fork"]>;

/**
 * The ORM and its pool of connections, for the statements that go around it. Neither connects before its first query.
 * Beware: on this pool the ORM reads dates as text.
 */
export function createOrm(databaseUrl: string, poolSize = 20) {
  let pool: Pool | undefined;
  const orm = new MikroORM({
    entities: [...entities],
    clientUrl: databaseUrl,
    namingStrategy: EntityCaseNamingStrategy,
    forceUtcTimezone: true,
    pool: { min: 0, max: poolSize },
    driverOptions: {
      connectionTimeoutMillis: 5000,
      onPoolCreated: (created: Pool) => {
        pool = created;
      },
    },
    // A link would be joined with its bucket, and that with its account, only to ask whose they are.
    autoJoinRefsForFilters: false,
    // Triggers, and the tables that only counting touches, are the migrations' own: entities say nothing of them.
    schemaGenerator: {
      ignoreTriggers: true,
      skipTables: [
        /^clicks?(_|$)/,
        /^(link|account)_(quarter_hours|days|day_values|month_values)$/,
        "deleted_links",
        "password_guesses",
      ],
    },
    extensions: [Migrator],
    migrations: { migrationsList: migrations, snapshot: false, silent: true, tableName: "migrations" },
  });
  orm.em.getConnection().getClient();
  if (!pool) throw new Error("The ORM made no pool of connections");
  return { orm, pool };
}
