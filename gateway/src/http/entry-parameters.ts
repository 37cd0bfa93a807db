/** Ends the name of what stands for any number of parameters, one for each entry of a map: `metadata.KEY`. */
const KEY = ".KEY";

/** What the names of its parameters have before the key; undefined for a parameter that stands for itself. */
export function prefixOf(name: string): string | undefined {
  return name.endsWith(KEY) ? name.slice(0, -KEY.length + 1) : undefined;
}

/** Which of these names stands for a parameter; undefined: none. */
export function nameFor(parameter: string, names: readonly string[]): string | undefined {
  return names.find((name) => {
    const prefix = prefixOf(name);
    return prefix !== undefined && parameter.length > prefix.length && parameter.startsWith(prefix);
  });
}

/** The entries that parameters with this prefix give; undefined without any. */
export function entriesOf(parameters: URLSearchParams, prefix: string): Record<string, string> | undefined {
  const entries = [...parameters].flatMap(([name, value]) =>
    name.startsWith(prefix) && name.length > prefix.length ? [[name.slice(prefix.length), value] as const] : [],
  );
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/** The name of the parameter of an entry, which the contract calls `["key"]`; that of all entries for the map itself. */
export function parameterOf(prefix: string, place: string): string {
  const key = /^\[(".*")\]$/su.exec(place)?.[1];
  return key === undefined ? prefix.slice(0, -1) : prefix + (JSON.parse(key) as string);
}
