import type { DescEnum } from "@bufbuild/protobuf";

/**
 * External spelling of the values of an enum of proto/, by number: `ANALYSIS_TYPE_SPAM_DETECTION` is `spam-detection`.
 * The unspecified value 0 has no spelling.
 */
export function enumSpellings({ values, sharedPrefix = "" }: DescEnum): Map<number, string> {
  const named = values.filter(({ number }) => number !== 0);
  return new Map(named.map(({ name, number }) => [number, spell(name, sharedPrefix)]));
}

function spell(name: string, prefix: string): string {
  return name.slice(prefix.length).toLowerCase().replaceAll("_", "-");
}
