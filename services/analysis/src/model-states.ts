/**
 * State of each model by name: `ready`, `loading` or `missing`, with engine, id and version, and a warning or reason if
 * there is one.
 */
export type ModelStates = Record<string, { state: string }>;

interface Described {
  type: string;
  engine: string;
  model?: { id: string; version: string };
  ready: boolean;
  error?: string;
  warning?: string;
}

/** The entries of analyzers for `/readyz`, with the prefix before their names. */
export const statesOf = (prefix: string, analyzers: readonly Described[]): ModelStates =>
  Object.fromEntries(
    analyzers.map(({ type, engine, model, ready, error, warning }) => [
      `${prefix}:${type}`,
      ready
        ? { state: "ready", engine, ...model, ...(warning === undefined ? {} : { warning }) }
        : { state: "missing", engine, reason: error ?? "unknown" },
    ]),
  );
