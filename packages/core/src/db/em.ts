import type { EntityManager, MikroORM } from "@mikro-orm/postgresql";

/** The ORM without the types of its entities. */
export type Orm = MikroORM;
/** The entity manager of one request. */
export type Em = EntityManager;
