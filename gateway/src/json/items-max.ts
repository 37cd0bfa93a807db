import { getOption, type DescMessage } from "@bufbuild/protobuf";
import { field as fieldOption } from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";

/**
 * Maximum number of entries that the rules in proto/ allow in a repeated field. Throws for a field without such a
 * limit.
 */
export function itemsMaxOf(message: DescMessage, fieldName: string): number {
  const field = message.fields.find(({ name }) => name === fieldName);
  const type = field && getOption(field, fieldOption).type;
  if (type?.case !== "repeated" || type.value.maxItems === 0n) {
    throw new Error(`${message.typeName}.${fieldName} has no limit of entries`);
  }
  return Number(type.value.maxItems);
}
