import { getExtension, getOption, type DescField, type DescMessage } from "@bufbuild/protobuf";
import {
  field as fieldOption,
  type FieldRules,
  type Int32Rules,
  type Int64Rules,
} from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import { record_id as recordIdRule } from "@hourglass/proto/options/v1/rules";
import { RECORD_ID, type Schema } from "./schema.js";

/** JSON Schema keywords for the rules of a field in proto/, so that its limits are defined only once. */
export function limitsOf(message: DescMessage, fieldName: string): Schema {
  return keywords(getOption(fieldOf(message, fieldName), fieldOption).type);
}

/** The same for the items of a repeated field. */
export function itemLimitsOf(message: DescMessage, fieldName: string): Schema {
  const { type } = getOption(fieldOf(message, fieldName), fieldOption);
  const items = type.case === "repeated" ? type.value.items : undefined;
  return items === undefined ? {} : keywords(items.type);
}

function fieldOf(message: DescMessage, name: string): DescField {
  const found = message.fields.find((candidate) => candidate.name === name);
  if (found === undefined) throw new Error(`${message.typeName} has no field ${name}`);
  return found;
}

function keywords(type: FieldRules["type"]): Schema {
  switch (type.case) {
    case "string":
      // An unset limit is zero.
      return defined({
        minLength: orNone(type.value.minLen),
        maxLength: orNone(type.value.maxLen),
        pattern: type.value.pattern || (type.value.prefix === "" ? undefined : `^${type.value.prefix}`),
        format: type.value.wellKnown.case === "uri" ? "uri" : undefined,
      });
    case "repeated":
      return defined({
        minItems: orNone(type.value.minItems),
        maxItems: orNone(type.value.maxItems),
        uniqueItems: type.value.unique || undefined,
      });
    case "int64":
      return getExtension(type.value, recordIdRule) ? RECORD_ID : between(type.value);
    case "int32":
    case "uint32":
      return between(type.value);
    default:
      return {};
  }
}

function between({
  greaterThan: from,
  lessThan: to,
}: Pick<Int64Rules | Int32Rules, "greaterThan" | "lessThan">): Schema {
  return defined({
    minimum: from.case === undefined ? undefined : Number(from.value) + (from.case === "gt" ? 1 : 0),
    maximum: to.case === undefined ? undefined : Number(to.value) - (to.case === "lt" ? 1 : 0),
  });
}

function orNone(limit: bigint): number | undefined {
  return limit === 0n ? undefined : Number(limit);
}

function defined(schema: Record<string, unknown>): Schema {
  return Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== undefined));
}
