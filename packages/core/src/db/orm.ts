import { EntityCaseNamingStrategy, MikroORM } from "@mikro-orm/postgresql";
import { Migrator } from "@mikro-orm/migrations";
import { ApiKeyEntity } from "../api-keys/api-key.entity.ts";
import { DomainEntity } from "../domains/domain.entity.ts";
import { LinkEntity } from "../links/link.entity.ts";
import { SessionEntity } from "../sessions/session.entity.ts";
import { ConsentEntity, UserEntity } from "../users/user.entity.ts";
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
