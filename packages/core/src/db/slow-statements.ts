import type { Pool, PoolClient, QueryConfig } from "pg";

/** A statement that took long. Parameters, which are personal data, are not part of it. */
export interface SlowStatement {
  /** Its name, or the start of its text */
  statement: string;
  ms: number;
}

const maxText = 300;

/** Calls `report` for statements of the pool that take at least `limitMs`. Cursors, which wait for their readers, are left out. */
export function watchStatements(pool: Pool, limitMs: number, report: (slow: SlowStatement) => void): void {
  pool.on("connect", (client: PoolClient) => {
    const query = client.query.bind(client) as (...statement: unknown[]) => unknown;
    client.query = ((...statement: unknown[]) => {
      const started = performance.now();
      const end = () => {
        const ms = Math.round(performance.now() - started);
        if (ms >= limitMs) report({ statement: nameOf(statement[0]), ms });
      };
      const last = statement.at(-1);
      if (typeof last === "function") {
        return query(...statement.slice(0, -1), (...result: unknown[]) => {
          end();
          (last as (...values: unknown[]) => void)(...result);
        });
      }
      const result = query(...statement);
      if (result instanceof Promise) result.then(end, end);
      return result;
    }) as PoolClient["query"];
  });
}

function nameOf(statement: unknown): string {
  if (typeof statement === "string") return shortened(statement);
  const { name, text } = statement as QueryConfig;
  return name ?? shortened(text);
}

const shortened = (text: string) => text.replaceAll(/\s+/g, " ").trim().slice(0, maxText);
