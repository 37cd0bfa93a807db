import { defineSettings, SHARED_LIMITS, variable, type ConfigOf } from "@hourglass/runtime";

/** The settings of Operation and of the workers that carry operations out. */
export const operationSettings = defineSettings(
  {
    MAX_UNFINISHED_OPERATIONS: SHARED_LIMITS.MAX_UNFINISHED_OPERATIONS,
    MAX_CONTENTS: SHARED_LIMITS.MAX_CONTENTS,
    MAX_TEXT_CHARACTERS: SHARED_LIMITS.MAX_TEXT_CHARACTERS,
    RETENTION_DAYS_OPERATIONS: SHARED_LIMITS.RETENTION_DAYS_OPERATIONS,
    /** Operations that one process works on at a time. */
    OPERATION_CONCURRENCY: variable.integer(1, 64, 4),
    /** Unfinished operations of all companies; requests beyond that get 503. 0: no limit. */
    MAX_BACKLOG_OPERATIONS: variable.integer(0, 100_000_000, 100_000),
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
