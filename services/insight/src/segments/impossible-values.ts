import { getOption } from "@bufbuild/protobuf";
import { countryCodeOf, isLanguageCode, languageCodeOf } from "@hourglass/posting";
import type { PostingFilter } from "@hourglass/proto/insight/v1/insight_service";
import { AnalysisType, AnalysisTypeSchema } from "@hourglass/proto/operation/v1/operation";
import { analysis_result as analysisResult } from "@hourglass/proto/options/v1/analyses";
import { foldName } from "@hourglass/runtime/text";
import { type FieldViolation, giveOneOf } from "@hourglass/runtime";
import { NONE } from "./filter.js";

/** The values of a filter that no posting can have, on any server. */
export function impossibleValues(filter: PostingFilter | undefined): FieldViolation[] {
  return filter === undefined ? [] : [...unknownLabels(filter), ...unknownCodes(filter)];
}

/** The analyses whose labels postings are filtered by, by the fields of the filter. */
const LABELED = {
  sentiment: AnalysisType.SENTIMENT_REAL,
  sentiments: AnalysisType.SENTIMENT_REAL,
  intention: AnalysisType.INTENTION,
  intentions: AnalysisType.INTENTION,
} as const;

/** The lists of labels stand in the contract, beside the analyses. */
function unknownLabels(filter: PostingFilter): FieldViolation[] {
  return (Object.keys(LABELED) as (keyof typeof LABELED)[]).flatMap((field) => {
    const given = filter[field];
    const labels = labelsOf(LABELED[field]);
    if (typeof given === "string") {
      if (given === "" || labels.includes(given)) return [];
      return [{ field: `filter.${field}`, message: giveOneOf(labels, given) }];
    }
    return given.flatMap((label, index) => {
      if (label === NONE || labels.includes(label)) return [];
      return [{ field: `filter.${field}[${index}]`, message: giveOneOf([...new Set([...labels, NONE])], label) }];
    });
  });
}

function labelsOf(type: AnalysisType): readonly string[] {
  const value = AnalysisTypeSchema.values.find(({ number }) => number === (type as number));
  return value === undefined ? [] : getOption(value, analysisResult).labels;
}

/** A list of codes. */
interface Codes {
  readonly give: string;
  /** What stands for postings without a code. */
  readonly missing: string;
  readonly isCode: (value: string) => boolean;
  /** The code that is meant by something else; undefined: none. */
  readonly meantBy: (value: string) => string | undefined;
}

const LANGUAGES: Codes = {
  give: 'Give ISO 639-1 codes, such as "pt"',
  missing: `"${NONE}" for postings without a language`,
  isCode: isLanguageCode,
  meantBy: languageCodeOf,
};

const COUNTRIES: Codes = {
  give: 'Give ISO 3166-1 codes, such as "DE"',
  missing: `"${NONE}" for postings without a country`,
  isCode: (value) => countryCodeOf(value) === value.trim().toUpperCase(),
  meantBy: countryCodeOf,
};

function unknownCodes({ language, languages, countries }: PostingFilter): FieldViolation[] {
  return [
    ...mistakeIn(language, LANGUAGES, "filter.language"),
    ...languages.flatMap((value, index) => mistakeIn(value, LANGUAGES, `filter.languages[${index}]`)),
    ...countries.flatMap((value, index) => mistakeIn(value, COUNTRIES, `filter.countries[${index}]`)),
  ];
}

function mistakeIn(value: string, { give, missing, isCode, meantBy }: Codes, field: string): FieldViolation[] {
  // An empty value is none, or against the rules of the contract.
  if (value === "" || foldName(value) === NONE || isCode(value)) return [];
  const meant = meantBy(value);
  const message = meant === undefined ? `${give}, or ${missing}.` : `${give}: "${value.trim()}" is "${meant}".`;
  return [{ field, message }];
}
