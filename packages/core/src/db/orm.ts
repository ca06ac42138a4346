import { EntityCaseNamingStrategy, MikroORM } from "@mikro-orm/postgresql";
import { Migrator } from "@mikro-orm/migrations";
import { ApiKeyEntity } from "../api-keys/index.ts";
import { DomainEntity } from "../domains/index.ts";
import { LinkEntity } from "../links/index.ts";
import { SessionEntity } from "../sessions/index.ts";
import { ConsentEntity, UserEntity } from "../users/index.ts";
import { migrations } from "./migrations/index.ts";

const entities = [UserEntity, ConsentEntity, ApiKeyEntity, SessionEntity, DomainEntity, LinkEntity] as const;

export type Orm = Awaited<ReturnType<typeof createOrm>>;
export type Em = ReturnType<Orm["em"]["fork"]>;

/** Opens no connection by itself: the pool connects with the first query. */
export function createOrm(databaseUrl: string, poolSize = 20) {
  return new MikroORM({
    entities: [...entities],
    clientUrl: databaseUrl,
    namingStrategy: EntityCaseNamingStrategy,
    forceUtcTimezone: true,
    pool: { min: 0, max: poolSize },
    extensions: [Migrator],
    migrations: { migrationsList: migrations, snapshot: false, silent: true, tableName: "migrations" },
  });
}
