import { UserError } from "@terse/server";
import type { Client } from "pg";
import { addressOf, readFailure } from "../database-address.ts";
import type { Source } from "../source.ts";
import { type KuttLink, losses, toLink } from "./link.ts";

export interface KuttDatabaseOptions {
  /** postgres://… */
  url: string;
  password?: string | undefined;
  /** E-mail address of the user of Kutt whose links are imported */
  user: string;
  /** Where links of Kutt's default domain go; undefined: the service's own host */
  domain?: string | undefined;
  interrupt: AbortSignal;
}

const linksPerPage = 2000;

/** Reads the links of a user from Kutt's PostgreSQL database, as they are at one moment. */
export async function openKuttDatabase(options: KuttDatabaseOptions): Promise<Source> {
  const { user, domain, interrupt } = options;
  const { url, shown } = addressOf(options);
  const { default: pg } = await import("pg");
  const client: Client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  client.on("error", () => {});
  const query = async <Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> => {
    interrupt.throwIfAborted();
    const { rows } = await client.query<Row>(text, [...values]).catch((error: unknown) => {
      throw readFailure(shown, error);
    });
    return rows;
  };
  let userId = 0;

  return {
    name: "kutt",
    title: `Kutt in ${shown}`,
    async survey() {
      await client.connect().catch((error: unknown) => {
        throw readFailure(shown, error);
      });
      await query("begin transaction isolation level repeatable read read only");
      const [found] = await query<{ id: number; links: number }>(
        "select id, (select count(*)::int from links where user_id = users.id) as links from users where email = $1",
        [user],
      );
      if (!found) throw new UserError(`Kutt has no user ${user}: name another --user`);
      userId = found.id;
      return { links: found.links, visits: 0, losses };
    },
    async *links() {
      for (let last = 0; ; ) {
        const rows = await query<Omit<KuttLink, "name"> & { id: number }>(
          `select l.id, l.address, l.target, d.address as domain, l.description, l.password is not null as password,
             l.banned or coalesce(d.banned, false) as banned, to_json(l.expire_in) #>> '{}' as expire_in, l.visit_count, to_json(l.created_at) #>> '{}' as created_at
           from links l left join domains d on d.id = l.domain_id
           where l.user_id = $1 and l.id > $2 order by l.id limit ${linksPerPage}`,
          [userId, last],
        );
        for (const row of rows) {
          last = row.id;
          yield toLink({ ...row, name: row.domain ? `${row.domain}/${row.address}` : row.address }, domain);
        }
        if (rows.length === 0) return;
      }
    },
    async *visits() {
      // Kutt has none.
    },
    close: () => client.end(),
  };
}
