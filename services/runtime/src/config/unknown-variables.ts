import { closestMatch } from "leven";
import { nearest } from "../errors/sentences.js";
import type { Environment } from "./environment.js";
import { VARIABLE_NAMES } from "./variable-names.js";

/** A variable that nothing reads, and the one that was probably meant. */
export interface UnknownVariable {
  readonly variable: string;
  readonly meant: string;
}

/** First words that variables of other programs on the same machine or in the same pod begin with, too. */
const OF_OTHERS = new Set("AMQP AUTH DATA GRPC HF LOG MEDIA MODEL MODELS MONGODB NODE OTEL TLS URL".split(" "));
/** Kubernetes and Docker describe the services beside a container in such variables. */
const LINK = /_(SERVICE_HOST|SERVICE_PORT(_\w+)?|PORT(_\d+_(TCP|UDP)(_\w+)?)?)$/;

/**
 * Variables that no process of the product reads although they look like settings: a name within a typo of one of ours, or
 * one that begins like one. A misspelled setting would otherwise be ignored without a word.
 */
export function unknownVariables(
  env: Environment,
  known: readonly string[] = VARIABLE_NAMES,
): readonly UnknownVariable[] {
  const names = new Set(known);
  return Object.keys(env)
    .filter((variable) => env[variable] !== "" && /^[A-Z][A-Z0-9_]*$/.test(variable) && !names.has(variable))
    .flatMap((variable) => {
      const meant = nearest(variable, known) ?? (LINK.test(variable) ? undefined : alike(variable, known));
      return meant === undefined ? [] : [{ variable, meant }];
    });
}

/** The name that begins like this one; of several, one that has all its words, or the one with the fewest differences. */
function alike(variable: string, known: readonly string[]): string | undefined {
  const words = variable.split("_");
  const [first = ""] = words;
  if (words.length < 2) return undefined;
  const family = known.filter((name) => name.startsWith(`${first}_`));
  const containing = family.filter((name) => words.every((word) => name.split("_").includes(word)));
  if (containing.length > 0) return closestMatch(variable, containing);
  return family.length < 2 || OF_OTHERS.has(first) ? undefined : closestMatch(variable, family);
}
