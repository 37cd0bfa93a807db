import type { GenEnum } from "@bufbuild/protobuf/codegenv2";
import {
  AnalysisTypeSchema,
  ContentErrorCodeSchema,
  DimensionSchema,
  OperationStatusSchema,
  OperationTypeSchema,
  SourceSchema,
} from "@hourglass/proto/operation/v1/operation";
import { ExportStatusSchema } from "@hourglass/proto/export/v1/export_service";
import { InsightDimensionSchema, InsightStatusSchema, PlatformSchema } from "@hourglass/proto/insight/v1/insight";
import { FileStateSchema, FileTypeSchema } from "@hourglass/proto/media/v1/media_service";
import { enumSpellings, giveOneOf } from "@hourglass/runtime";
import { list, wrong, type Read } from "./reader.js";

/** How the REST interface spells the values of a proto enum: `ANALYSIS_TYPE_SPAM_DETECTION` is `spam-detection`. */
export class Spelling<E extends number> {
  /** All spellings, in the order of the proto enum. */
  readonly names: readonly string[];
  private readonly byNumber: readonly (string | undefined)[];
  private readonly byName: ReadonlyMap<string, E>;

  constructor(
    readonly desc: GenEnum<E>,
    /** Separator between the words of a spelling. */
    separator = "-",
  ) {
    const spelled = [...enumSpellings(desc)].map(
      ([number, name]) => [number, name.replaceAll("-", separator)] as const,
    );
    const byNumber: (string | undefined)[] = [];
    for (const [number, name] of spelled) byNumber[number] = name;
    this.names = spelled.map(([, name]) => name);
    this.byNumber = byNumber;
    this.byName = new Map(spelled.map(([number, name]) => [name, number as E]));
  }

  /** Returns the spelling of a value; for a value that only a newer server knows, its number; `unknown` for 0. */
  of(value: E): string {
    return this.byNumber[value] ?? (value === 0 ? "unknown" : String(value));
  }

  readonly all = (values: readonly E[]): string[] => values.map((value) => this.of(value));

  /** Reads a spelling. */
  readonly read: Read<E> = (value, path, violations) => {
    const number = typeof value === "string" ? this.byName.get(value) : undefined;
    return number ?? wrong(violations, path, giveOneOf(this.names, value));
  };

  /** Reads an array of spellings. */
  list(itemsMax: number): Read<E[]> {
    // Not a value of the enum, and different for each index, so that two unknown values are not a repetition.
    return list(this.read, { itemsMax, placeholder: (index) => (-1 - index) as E });
  }
}

export const OPERATION_TYPE = new Spelling(OperationTypeSchema);
export const OPERATION_STATUS = new Spelling(OperationStatusSchema);
export const ANALYSIS_TYPE = new Spelling(AnalysisTypeSchema);
export const DIMENSION = new Spelling(DimensionSchema);
export const SOURCE = new Spelling(SourceSchema);
export const CONTENT_ERROR_CODE = new Spelling(ContentErrorCodeSchema, "_");
export const FILE_TYPE = new Spelling(FileTypeSchema);
export const FILE_STATE = new Spelling(FileStateSchema);
export const PLATFORM = new Spelling(PlatformSchema);
export const INSIGHT_DIMENSION = new Spelling(InsightDimensionSchema);
export const INSIGHT_STATUS = new Spelling(InsightStatusSchema);
export const EXPORT_STATUS = new Spelling(ExportStatusSchema);
