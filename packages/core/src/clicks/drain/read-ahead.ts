/** The values of `source`, each made while the one before it is used. */
export async function* readAhead<T>(source: AsyncGenerator<T, void>): AsyncGenerator<T, void> {
  let next = source.next();
  try {
    for (;;) {
      const { done, value } = await next;
      if (done) return;
      next = source.next();
      // It is awaited after this value was used, which may be late for Node's taste.
      next.catch(() => {});
      yield value;
    }
  } finally {
    await source.return();
  }
}
