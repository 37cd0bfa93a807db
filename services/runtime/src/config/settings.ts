import type { ProcessConfig } from "./process-config.js";
import type { Values, Variables } from "./variables.js";

/** The variables of one owner, such as a service, and the configuration derived from them. */
export interface Settings<V extends Variables = Variables, C = unknown> {
  readonly variables: V;
  /** Throws ConfigError for inconsistent values. */
  toConfig(values: Values<V>, process: ProcessConfig): C;
}

/** The configuration type of settings. */
export type ConfigOf<S extends Settings> = ReturnType<S["toConfig"]>;

/** Declares settings with inferred types. */
export function defineSettings<V extends Variables, C>(
  variables: V,
  toConfig: (values: Values<V>, process: ProcessConfig) => C,
): Settings<V, C> {
  return { variables, toConfig };
}
