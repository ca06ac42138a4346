import type { Pool, PoolClient } from "pg";

/** Commits where `work` answers true; otherwise, and where it throws, nothing was done. */
export async function inTransaction(
  pool: Pool,
  work: (client: PoolClient) => Promise<boolean>,
): Promise<boolean> {
  const client = await pool.connect();
  let broken: Error | undefined;
  // A connection that ends between two statements says so here, and nowhere else.
  const onError = (error: Error) => {
    broken = error;
  };
  client.on("error", onError);
  try {
    await client.query("begin");
    const done = await work(client);
    await client.query(done ? "commit" : "rollback");
    return done;
  } catch (error) {
    await client.query("rollback").catch(onError);
    throw error;
  } finally {
    client.off("error", onError);
    client.release(broken);
  }
}
