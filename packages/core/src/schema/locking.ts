import type { MigrationObject } from "@mikro-orm/core";
import { Migration } from "@mikro-orm/migrations";

/** After this many tries, a quarter of a minute or more, a migration waits longer than PostgreSQL's deadlock_timeout (1 s). */
const patientTries = 30;

/**
 * Milliseconds in which a migration gets its further locks once it has the first one, or gives all back. Less than a second
 * at first: longer, and PostgreSQL could sacrifice a request or a drain that waits for us and holds what we need. At random,
 * so that both short and long transactions of others let one of the tries through.
 */
const budgetMs = (tries: number) =>
  tries > patientTries ? 5000 : Math.round(100 + 600 * Math.random() ** 2);

/** Tables that transactions of the service lock after others: links, and what triggers on links write to. */
const lateTables = [
  "links",
  "deleted_links",
  "link_ranks",
  "link_tags",
  "changes",
  "link_changes",
  "webhook_events",
];

export interface NamedMigration {
  name: string;
  /** Its statements */
  sql: string;
}

/**
 * A migration as the ORM takes it. It locks all existing tables that it names at once, before it changes anything, and each for
 * a short time only. A transaction that changes rows then waits for the whole migration, and holds nothing that the migration
 * still needs.
 */
export function withLocks({ name, sql }: NamedMigration): MigrationObject {
  let tries = 0;
  return {
    name,
    class: class extends Migration {
      override up(): void {
        this.addSql(lockOf(sql, budgetMs(++tries)));
        this.addSql(sql);
      }
    },
  };
}

/** Statements that let nobody read a table */
const exclusive = /\b(?:alter table|drop table|drop trigger \w+ on) (?:if exists )?(?:only )?(\w+)/g;

const arrayOf = (words: Iterable<string>) => `'{${[...new Set(words)].join()}}'`;

/** Words that are not tables do no harm. A table that is not altered can be read meanwhile, but not changed. */
function lockOf(sql: string, budget: number): string {
  const named = arrayOf(sql.match(/[a-z_][a-z0-9_]*/g) ?? []);
  const altered = arrayOf(Array.from(sql.matchAll(exclusive), ([, table = ""]) => table));
  return `do $lock$
    declare
      one record;
      ends timestamptz;
    begin
      perform set_config('lock_timeout', '900ms', true);
      for one in
        select quote_ident(relname) as name, relname = any(${altered}) as is_altered from pg_class
        where relkind in ('r', 'p') and relnamespace = current_schema()::regnamespace and relname = any(${named})
        order by relname not in ('users', 'workspaces'), coalesce(array_position(${arrayOf(lateTables)}, relname::text), 0), relname
      loop
        if ends is not null then
          perform set_config('lock_timeout', greatest(1, extract(epoch from ends - clock_timestamp()) * 1000)::int || 'ms', true);
        end if;
        execute 'lock table ' || one.name || ' in ' || case when one.is_altered then 'access' else 'share row' end || ' exclusive mode';
        ends := coalesce(ends, clock_timestamp() + interval '${budget} ms');
      end loop;
      perform set_config('lock_timeout', '500ms', true);
    end $lock$`;
}
