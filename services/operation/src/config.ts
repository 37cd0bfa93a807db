import { ContentSchema } from "@hourglass/proto/operation/v1/operation";
import { CreateOperationRequestSchema } from "@hourglass/proto/operation/v1/operation_service";
import { defineSettings, itemsMaxOf, lengthMaxOf, SHARED_LIMITS, variable, type ConfigOf } from "@hourglass/runtime";

/** The limits of the contract, which settings can only lower. */
const CONTENTS_MAX = itemsMaxOf(CreateOperationRequestSchema, "contents");
const TEXT_CHARACTERS_MAX = lengthMaxOf(ContentSchema, "text");

/** The settings of Operation and of the workers that carry operations out. */
export const operationSettings = defineSettings(
  {
    MAX_UNFINISHED_OPERATIONS: SHARED_LIMITS.MAX_UNFINISHED_OPERATIONS,
    /** Maximum number of contents in one operation. */
    MAX_CONTENTS: variable.integer(1, CONTENTS_MAX, CONTENTS_MAX),
    /** Maximum length of one text, in code points. */
    MAX_TEXT_CHARACTERS: variable.integer(1, TEXT_CHARACTERS_MAX, TEXT_CHARACTERS_MAX),
    /** Operations that one process works on at a time. */
    OPERATION_CONCURRENCY: variable.integer(1, 64, 4),
    /** Unfinished operations of all companies; requests beyond that get 503. 0: no limit. */
    MAX_BACKLOG_OPERATIONS: variable.integer(0, 100_000_000, 100_000),
    /** Days for which an operation is kept after its end, with its files. Unset: until it is deleted. */
    RETENTION_DAYS_OPERATIONS: variable.optionalInteger(1, 36_500),
  },
  (values, { leaseMs }) => ({
    contentsMax: values.MAX_CONTENTS,
    textCharactersMax: values.MAX_TEXT_CHARACTERS,
    concurrency: values.OPERATION_CONCURRENCY,
    leaseMs,
    /** 0: no limit. */
    unfinishedMax: values.MAX_UNFINISHED_OPERATIONS,
    /** Of all companies together; 0: no limit. */
    backlogMax: values.MAX_BACKLOG_OPERATIONS,
    /** Undefined: operations are kept until they are deleted. */
    retentionDays: values.RETENTION_DAYS_OPERATIONS,
  }),
);

export type OperationConfig = ConfigOf<typeof operationSettings>;
