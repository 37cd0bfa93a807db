import { getOption, type DescMessage } from "@bufbuild/protobuf";
import { field as fieldOption, type FieldRules } from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";

/**
 * Maximum number of entries that the rules in proto/ allow in a repeated field. Throws for a field without such a
 * limit.
 */
export function itemsMaxOf(message: DescMessage, fieldName: string): number {
  const rules = rulesOf(message, fieldName);
  return limit(rules?.case === "repeated" ? rules.value.maxItems : 0n, `${message.typeName}.${fieldName}`);
}

/** Maximum length, in code points, that the rules in proto/ allow for a text. Throws for a field without such a limit. */
export function lengthMaxOf(message: DescMessage, fieldName: string): number {
  const rules = rulesOf(message, fieldName);
  return limit(rules?.case === "string" ? rules.value.maxLen : 0n, `${message.typeName}.${fieldName}`);
}

function rulesOf(message: DescMessage, fieldName: string): FieldRules["type"] | undefined {
  const field = message.fields.find(({ name }) => name === fieldName);
  return field && getOption(field, fieldOption).type;
}

/** An unset limit is zero. */
function limit(value: bigint, field: string): number {
  if (value === 0n) throw new Error(`${field} has no such limit`);
  return Number(value);
}
