import type { EntityManager, MikroORM } from "@mikro-orm/postgresql";

/** The ORM, without naming its entities: what they are is no business of those who hand it on. */
export type Orm = MikroORM;
/** One request's entities. */
export type Em = EntityManager;
