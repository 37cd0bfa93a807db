import type { Values, Variables } from "@hourglass/runtime";
import type { PlatformDeps, PlatformModule, PlatformValues, Readiness } from "./platform.js";
import type { SharedUse } from "./shared-use.js";

/** A platform with the types of its own variables. */
export interface PlatformDefinition<V extends Variables> {
  /** As the interface spells it. */
  readonly name: string;
  readonly variables: V;
  /** As in PlatformModule. Default: none. */
  origins?(values: Values<V>): readonly string[];
  /** As in PlatformModule. Default: no URL contains an id. */
  socialIdIn?(url: URL): string | undefined;
  /** As in PlatformModule. Default: nothing is shared. */
  readonly shared?: (values: Values<V>) => SharedUse;
  /** As in PlatformModule. Loads what asks the platform, so that servers load only platforms that they use. */
  open(deps: PlatformDeps, values: Values<V>): Promise<Readiness>;
}

/** Declares a platform with inferred types. */
export function definePlatform<V extends Variables>(definition: PlatformDefinition<V>): PlatformModule {
  const { name, variables, shared } = definition;
  // The configuration was read with the schemas of all platforms, so the values of this one have its types.
  return {
    name,
    variables,
    origins: (values) => definition.origins?.(values as Values<V>) ?? [],
    socialIdIn: (url) => definition.socialIdIn?.(url),
    ...(shared && { shared: (values: PlatformValues) => shared(values as Values<V>) }),
    open: (deps, values) => definition.open(deps, values as Values<V>),
  };
}
