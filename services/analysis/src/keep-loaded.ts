/**
 * Loads what stands under a key on first use and keeps it; all who ask at once wait for the same. After a failure the next
 * call tries again.
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
