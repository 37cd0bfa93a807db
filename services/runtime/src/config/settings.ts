import type { ProcessConfig } from "./process-config.js";
import type { Values, Variables } from "./variables.js";

/** The variables of one owner, such as a service, and the configuration that it makes of them. */
export interface Settings<V extends Variables = Variables, C = unknown> {
  readonly variables: V;
  /** Throws ConfigError for values that do not go together. */
  toConfig(values: Values<V>, process: ProcessConfig): C;
}

/** The configuration that settings are read into. */
export type ConfigOf<S extends Settings> = ReturnType<S["toConfig"]>;

/** Declares settings; the compiler finds out their types. */
export function defineSettings<V extends Variables, C>(
  variables: V,
  toConfig: (values: Values<V>, process: ProcessConfig) => C,
): Settings<V, C> {
  return { variables, toConfig };
}
