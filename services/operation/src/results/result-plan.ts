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

/** Data shared by the results of all contents of an operation. */
export interface ResultPlan {
  type: OperationType;
  /** Analyses of a newer release that this one cannot read. */
  unknown: readonly string[];
  /** The known analyses, in the order of the request. */
  analyses: readonly AnalysisName[];
  /** Whether the request named groups; the one group of all contents has no index. */
  named: boolean;
  groups: readonly TextOutcome[];
}

/** The findings for one content. */
export interface FoundResults {
  plan: ResultPlan;
  outcome: ContentOutcome | undefined;
  /** Groups that contain this content. */
  groups: readonly number[];
}

/** Results of one content, and reasons for missing ones. */
export class ResultList {
  readonly analyses: Analysis[] = [];
  /** The analyses that each reason is about; none: it is about the content. */
  private readonly errors = new Map<string, string[]>();
  private gravest = ContentErrorCode.UNSPECIFIED;

  constructor({ unknown }: ResultPlan) {
    for (const name of unknown) {
      this.addError("not known to this version of the server", ContentErrorCode.UNKNOWN_ANALYSIS, name);
    }
  }

  /** Reasons for missing results as text, and the most severe reason as a code. */
  get failure(): Pick<ContentResult, "error" | "errorCode"> {
    const sentences = [...this.errors].map(([reason, names]) => [names.join(", "), reason].filter(Boolean).join(": "));
    return { error: sentences.join("; "), errorCode: this.gravest };
  }

  /** Adds the analysis of a text, or the reason why it is missing. */
  takeText(type: TextualAnalysis, origin: TextOrigin): void {
    const { outcome, grouped = false, groupIndex, source, dimension } = origin;
    const data = toTextualData(type, { outcome, grouped });
    if (data === undefined) {
      this.addError(outcome?.errors[type] ?? "could not be made", codeOfText(type, outcome), type);
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

  /** A reason is given once, for all analyses that it is about. */
  addError(reason: string, code: ContentErrorCode, analysis?: string): void {
    const names = this.errors.get(reason) ?? [];
    if (analysis !== undefined && !names.includes(analysis)) names.push(analysis);
    this.errors.set(reason, names);
    // Lower numbers are more severe.
    if (this.gravest === ContentErrorCode.UNSPECIFIED || code < this.gravest) this.gravest = code;
  }
}

/** The text that an outcome belongs to. */
export interface TextOrigin {
  outcome: TextOutcome | undefined;
  source: Source;
  dimension: Dimension;
  grouped?: boolean;
  /** Index of a group that the request named. */
  groupIndex?: number | undefined;
}
