/**
 * Loads the value of a key on first use and caches it; concurrent calls share one load. After a failure the next call
 * retries.
 */
export const keepLoaded = <K, T>(load: (key: K) => Promise<T>): ((key: K) => Promise<T>) => {
  const loaded = new Map<K, Promise<T>>();
  return (key) => {
    const known = loaded.get(key);
    if (known !== undefined) return known;
    const loading = load(key);
    loaded.set(key, loading);
    loading.catch(() => loaded.delete(key));
    return loading;
  };
};
