/**
 * Caches a value for `maxAge` milliseconds, loaded on first use. Concurrent callers share one load. Failures are not
 * cached: the next call tries again, and an expired value is returned while reloading fails.
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
