import { getOption, type DescField, type DescMessage } from "@bufbuild/protobuf";
import { field as fieldOption, type FieldRules } from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";

/**
 * Maximum number of entries that the rules in proto/ allow in a repeated field. Throws for a field without such a
 * limit.
 */
export function itemsMaxOf(message: DescMessage, fieldName: string): number {
  return limit(itemsLimitOf(fieldOf(message, fieldName)), `${message.typeName}.${fieldName}`);
}

/** Maximum length, in code points, that the rules in proto/ allow for a text. Throws for a field without such a limit. */
export function lengthMaxOf(message: DescMessage, fieldName: string): number {
  return limit(textLimitOf(fieldOf(message, fieldName)), `${message.typeName}.${fieldName}`);
}

/** The rule of a repeated field on the number of its entries; undefined without one. */
export function itemsLimitOf(field: DescField | undefined): number | undefined {
  const rules = rulesOf(field);
  return rules?.case === "repeated" ? orNone(rules.value.maxItems) : undefined;
}

/** The rule of a text, or of the texts of a repeated field, on their length in code points; undefined without one. */
export function textLimitOf(field: DescField | undefined): number | undefined {
  const rules = rulesOf(field);
  const ofText = rules?.case === "repeated" ? rules.value.items?.type : rules;
  return ofText?.case === "string" ? orNone(ofText.value.maxLen) : undefined;
}

function fieldOf(message: DescMessage, fieldName: string): DescField | undefined {
  return message.fields.find(({ name }) => name === fieldName);
}

function rulesOf(field: DescField | undefined): FieldRules["type"] | undefined {
  return field && getOption(field, fieldOption).type;
}

/** An unset limit is zero. */
function orNone(value: bigint): number | undefined {
  return value === 0n ? undefined : Number(value);
}

function limit(value: number | undefined, field: string): number {
  if (value === undefined) throw new Error(`${field} has no such limit`);
  return value;
}
