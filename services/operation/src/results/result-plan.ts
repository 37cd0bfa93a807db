import type { TextualAnalysis } from "@hourglass/analysis";
import {
  type Analysis,
  ContentErrorCode,
  type ContentResult,
  type Dimension,
  type OperationType,
  type Source,
} from "@hourglass/proto/operation/v1/operation";
import { codeOfText } from "./content-error.js";
import type { AnalysisName, ContentOutcome } from "../records/operation.js";
import type { TextOutcome } from "../records/text-outcome.js";
import { makingOf, toTextualData } from "./textual-messages.js";
import { analysisTypeOf } from "./wire-values.js";

/** What the results of all contents of an operation have in common. */
export interface ResultPlan {
  type: OperationType;
  /** Analyses that a newer release made and this one cannot read. */
  unknown: readonly string[];
  /** The others, in the order of the request. */
  analyses: readonly AnalysisName[];
  /** Whether the request named groups; the one group of all contents has no index. */
  named: boolean;
  groups: readonly TextOutcome[];
}

/** What there is to tell of one content. */
export interface FoundResults {
  plan: ResultPlan;
  outcome: ContentOutcome | undefined;
  /** Groups that this content is in. */
  groups: readonly number[];
}

/** Results of one content, and why others are missing. */
export class ResultList {
  readonly analyses: Analysis[] = [];
  private readonly errors: string[] = [];
  private gravest = ContentErrorCode.UNSPECIFIED;

  constructor({ unknown }: ResultPlan) {
    for (const name of unknown) {
      this.addError(`${name}: not known to this version of the server`, ContentErrorCode.UNKNOWN_ANALYSIS);
    }
  }

  /** Why results are missing, for a person, and the gravest reason for machines. */
  get failure(): Pick<ContentResult, "error" | "errorCode"> {
    return { error: this.errors.join("; "), errorCode: this.gravest };
  }

  /** Adds the analysis of a text, or why there is none. */
  takeText(type: TextualAnalysis, origin: TextOrigin): void {
    const { outcome, grouped = false, groupIndex, source, dimension } = origin;
    const data = toTextualData(type, { outcome, grouped });
    if (data === undefined) {
      this.addError(`${type}: ${outcome?.errors[type] ?? "could not be made"}`, codeOfText(type, outcome));
      return;
    }
    this.analyses.push({
      $typeName: "hourglass.operation.v1.Analysis",
      source,
      type: analysisTypeOf(type),
      dimension,
      ...(groupIndex === undefined ? {} : { groupIndex }),
      data,
      ...makingOf(type, outcome),
    });
  }

  /** The same reason is told once. */
  addError(reason: string, code: ContentErrorCode): void {
    if (!this.errors.includes(reason)) this.errors.push(reason);
    // Their numbers grow as they get less grave.
    if (this.gravest === ContentErrorCode.UNSPECIFIED || code < this.gravest) this.gravest = code;
  }
}

/** Which text an outcome is of. */
export interface TextOrigin {
  outcome: TextOutcome | undefined;
  source: Source;
  dimension: Dimension;
  grouped?: boolean;
  /** Of a group that the request named. */
  groupIndex?: number | undefined;
}
