import { type DescEnum, getOption } from "@bufbuild/protobuf";
import { named_by as namedBy } from "@hourglass/proto/options/v1/settings";

/**
 * External spelling of the values of an enum of proto/, by number: `ANALYSIS_TYPE_SPAM_DETECTION` is `spam-detection`.
 * The unspecified value 0 has no spelling.
 */
export function enumSpellings({ values, sharedPrefix = "" }: DescEnum): Map<number, string> {
  const named = values.filter(({ number }) => number !== 0);
  return new Map(named.map(({ name, number }) => [number, spell(name, sharedPrefix)]));
}

/** The spellings of the values that every server has: those without a setting that must name them. */
export function spellingsEverywhere(desc: DescEnum): string[] {
  const all = enumSpellings(desc);
  const everywhere = desc.values.filter((value) => getOption(value, namedBy) === "");
  return everywhere.flatMap(({ number }) => all.get(number) ?? []);
}

function spell(name: string, prefix: string): string {
  return name.slice(prefix.length).toLowerCase().replaceAll("_", "-");
}
