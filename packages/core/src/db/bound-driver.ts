import {
  AbstractSqlDriver,
  type Configuration,
  EntityManager,
  MikroORM,
  NativeQueryBuilder,
  PostgreSqlConnection,
  type PostgreSqlDriver,
  PostgreSqlPlatform,
  raw,
} from "@mikro-orm/postgresql";
import { CompiledQuery } from "kysely";
import type { Executor } from "./statements.ts";

/** The ORM prints values into the text of a statement. This platform makes texts and bytes parameters instead. */
class BoundPlatform extends PostgreSqlPlatform {
  #values: unknown[] | null = null;

  /** The statement with numbered parameters, and their values. */
  bind(sql: string, params: readonly unknown[]): CompiledQuery {
    const values: unknown[] = [];
    this.#values = values;
    try {
      return CompiledQuery.raw(this.formatQuery(sql, params), values);
    } finally {
      this.#values = null;
    }
  }

  override escape(value: unknown): string {
    const isBound = typeof value === "string" || ArrayBuffer.isView(value);
    if (this.#values === null || !isBound) return super.escape(value);
    return `$${this.#values.push(value)}`;
  }
}

type Execute = PostgreSqlConnection["execute"];

class BoundConnection extends PostgreSqlConnection {
  override execute = (async (query, params = [], method = "all", context, logging) => {
    if (context === undefined) await this.ensureConnection();
    const { sql, params: values } =
      typeof query === "string"
        ? Array.isArray(params)
          ? { sql: query, params }
          : raw(query, params as Record<string, unknown>)
        : query instanceof NativeQueryBuilder
          ? query.toRaw()
          : query;
    const statement = (this.platform as BoundPlatform).bind(sql, values);
    const client = (context as Executor | undefined) ?? this.getClient();
    return this.executeQuery(
      sql,
      async () => this.transformRawResult(await client.executeQuery(statement), method),
      logging,
    );
  }) as Execute;
}

class Driver extends AbstractSqlDriver<BoundConnection> {
  constructor(config: Configuration) {
    super(config, new BoundPlatform(), BoundConnection, ["kysely", "pg"]);
  }
  override createEntityManager(useContext?: boolean): never {
    const driver = this as unknown as PostgreSqlDriver;
    return new EntityManager(this.config, driver, this.metadata, useContext) as never;
  }
  override getORMClass(): never {
    return MikroORM as never;
  }
}

/** MikroORM's driver for PostgreSQL, whose statements contain no user text. */
export const BoundDriver = Driver as unknown as typeof PostgreSqlDriver;
