/**
 * Loads something when it is first asked for and keeps it for `maxAge` milliseconds. Everybody who waits shares one
 * load; a failure is not kept, so the next one to ask tries again; what was loaded once outlives later failures.
 */
export function ttlCache<T>(load: () => Promise<T>, maxAge: number): () => Promise<T> {
  let current: { value: T; since: number } | undefined;
  let loading: Promise<T> | undefined;

  return async () => {
    if (current && Date.now() - current.since < maxAge) return current.value;
    loading ??= load()
      .then((value) => {
        current = { value, since: Date.now() };
        return value;
      })
      .finally(() => (loading = undefined));
    const fallback = current;
    return fallback ? loading.catch(() => fallback.value) : loading;
  };
}
