import { createRegistry, type DescMessage, type MessageShape } from "@bufbuild/protobuf";
import { createValidator, type Violation } from "@bufbuild/protovalidate";
import { file_hourglass_options_v1_rules as ourRules } from "@hourglass/proto/options/v1/rules";
import { AppError, type FieldViolation } from "../../errors/app-error.js";
import { sentenceOf } from "./rule-sentences.js";

/**
 * RE2 in JavaScript, the validator's default, takes a hundred times as long as the native engine. The patterns are
 * constants of our proto files, and must match in linear time in both engines.
 */
const patterns = new Map<string, RegExp>();

function regexMatch(pattern: string, text: string): boolean {
  let compiled = patterns.get(pattern);
  if (compiled === undefined) {
    compiled = new RegExp(pattern, "u");
    patterns.set(pattern, compiled);
  }
  return compiled.test(text);
}

const validator = createValidator({ regexMatch, registry: createRegistry(ourRules) });

/**
 * Returns every violation of the rules in the message's proto file, as paths of proto field names and sentences that
 * say what to do. The first part of the id of a message-level rule names its field: `contents.mixed` is about
 * `contents`.
 */
export function findViolations<D extends DescMessage>(schema: D, message: MessageShape<D>): FieldViolation[] {
  const result = validator.validate(schema, message);
  if (result.kind === "valid") return [];
  if (result.kind === "error")
    throw new AppError("internal", "The request could not be checked. Try again later.", { cause: result.error });
  return result.violations.map(toFieldViolation);
}

function toFieldViolation(violation: Violation): FieldViolation {
  const path = violation.field.map((step) => {
    switch (step.kind) {
      case "list_sub":
        return `[${step.index}]`;
      case "map_sub":
        return `[${JSON.stringify(step.key)}]`;
      case "oneof":
        return `.${step.name}`;
      case "extension":
        return `.${step.typeName}`;
      default:
        return `.${step.name}`;
    }
  });
  // A rule on a message has no path of its own; the first part of its id names the field of the message.
  if (violation.rule.length === 0 && violation.field.at(-1)?.kind !== "oneof") {
    path.push(`.${violation.ruleId.split(".")[0] ?? ""}`);
  }
  return { field: path.join("").replace(/^\./, ""), message: sentenceOf(violation) };
}
