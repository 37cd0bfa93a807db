import type { ServiceData, StoreContents } from "@hourglass/runtime";

/** Names of the collections in a store of which no service says whose documents they hold. */
export async function undeclaredIn(
  contents: Pick<StoreContents, "names">,
  data: readonly ServiceData[],
): Promise<string[]> {
  const known = new Set(data.flatMap(({ collections }) => collections.map(({ name }) => name)));
  return (await contents.names()).filter((name) => !known.has(name));
}
