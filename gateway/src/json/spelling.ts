import type { DescEnum } from "@bufbuild/protobuf";
import {
  AnalysisTypeSchema,
  DimensionSchema,
  OperationStatusSchema,
  OperationTypeSchema,
  SourceSchema,
} from "@hourglass/proto/operation/v1/operation";
import { ExportStatusSchema } from "@hourglass/proto/export/v1/export_service";
import { InsightDimensionSchema, InsightStatusSchema, PlatformSchema } from "@hourglass/proto/insight/v1/insight";
import { wrong, type Read } from "./reader.js";

/** How the REST interface spells the values of a proto enum: `ANALYSIS_TYPE_SPAM_DETECTION` is `spam-detection`. */
export class Spelling {
  /** All spellings, in the order of the proto enum. */
  readonly names: readonly string[];
  private readonly byNumber: readonly (string | undefined)[];
  private readonly byName: ReadonlyMap<string, number>;

  constructor(readonly desc: DescEnum) {
    const values = desc.values.filter(({ number }) => number !== 0);
    const spelled = values.map(({ name, number }) => [spell(name, desc.sharedPrefix ?? ""), number] as const);
    const byNumber: (string | undefined)[] = [];
    for (const [name, number] of spelled) byNumber[number] = name;
    this.names = spelled.map(([name]) => name);
    this.byNumber = byNumber;
    this.byName = new Map(spelled);
  }

  /** Returns the spelling of a value; of one that this server does not know yet, its number. */
  of(value: number): string {
    return this.byNumber[value] ?? String(value);
  }

  readonly all = (values: readonly number[]): string[] => values.map((value) => this.of(value));

  /** Reads a spelling. */
  readonly read: Read<number> = (value, path, violations) => {
    const number = typeof value === "string" ? this.byName.get(value) : undefined;
    return number ?? wrong(violations, path, `must be one of ${this.names.join(", ")}`);
  };
}

function spell(name: string, prefix: string): string {
  return name.slice(prefix.length).toLowerCase().replaceAll("_", "-");
}

/**
 * Takes the place of an unknown value in a list: no value of the enum, and another one for each index, so that two
 * unknown values do not count as a repetition.
 */
export function unknownValue(index: number): number {
  return -1 - index;
}

export const OPERATION_TYPE = new Spelling(OperationTypeSchema);
export const OPERATION_STATUS = new Spelling(OperationStatusSchema);
export const ANALYSIS_TYPE = new Spelling(AnalysisTypeSchema);
export const DIMENSION = new Spelling(DimensionSchema);
export const SOURCE = new Spelling(SourceSchema);
export const PLATFORM = new Spelling(PlatformSchema);
export const INSIGHT_DIMENSION = new Spelling(InsightDimensionSchema);
export const INSIGHT_STATUS = new Spelling(InsightStatusSchema);
export const EXPORT_STATUS = new Spelling(ExportStatusSchema);
