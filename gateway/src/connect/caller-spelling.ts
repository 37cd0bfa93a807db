import type { DescEnum, DescField, DescMessage } from "@bufbuild/protobuf";
import { AppError, enumSpellings, type FieldViolation } from "@hourglass/runtime";

/**
 * The failure in the spelling of callers of RPCs: what services say of a field of an enum names the values as REST spells
 * them, such as `text`, and callers know `OPERATION_TYPE_TEXT`.
 */
export function inCallersSpelling(failure: AppError, schema: DescMessage): AppError {
  const { kind, violations, code, retryAfterMs, cause } = failure;
  const spelled = violations.map((violation) => respelled(violation, schema));
  if (spelled.every(({ message }, index) => message === violations[index]?.message)) return failure;
  const { message } = AppError.invalid(spelled);
  return new AppError(kind, message, {
    code,
    violations: spelled,
    cause,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
}

function respelled(violation: FieldViolation, schema: DescMessage): FieldViolation {
  const desc = fieldAt(schema, violation.field)?.enum;
  return desc === undefined ? violation : { ...violation, message: inNames(violation.message, desc) };
}

/** The field that a path such as `filter.platforms[1]` leads to. */
function fieldAt(schema: DescMessage, path: string): DescField | undefined {
  const [first = "", ...others] = path.replaceAll(/\[[^\]]*\]/g, "").split(".");
  const field = schema.fields.find(({ name }) => name === first);
  if (field?.message === undefined || others.length === 0) return others.length === 0 ? field : undefined;
  return fieldAt(field.message, others.join("."));
}

function inNames(sentence: string, desc: DescEnum): string {
  const spellings = enumSpellings(desc);
  const names = new Map(
    desc.values.flatMap(({ name, number }) => {
      const spelling = spellings.get(number);
      return spelling === undefined ? [] : [[spelling, name] as const];
    }),
  );
  return sentence.replaceAll(/[a-z0-9]+(?:-[a-z0-9]+)*/g, (word, at: number) => {
    // Of a longer word, such as a name that stands there already, no part is meant.
    const isWhole = !/[A-Za-z0-9_-]/.test(sentence.charAt(at - 1) + sentence.charAt(at + word.length));
    return (isWhole ? names.get(word) : undefined) ?? word;
  });
}
