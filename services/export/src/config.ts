import { defineSettings, SHARED_LIMITS, variable, type ConfigOf } from "@hourglass/runtime";

/** The settings of Export and of the workers that run exports. */
export const exportSettings = defineSettings(
  {
    EXPORT_DAYS: SHARED_LIMITS.EXPORT_DAYS,
    MAX_EXPORT_RANGE_DAYS: SHARED_LIMITS.MAX_EXPORT_RANGE_DAYS,
    MAX_UNFINISHED_EXPORTS: SHARED_LIMITS.MAX_UNFINISHED_EXPORTS,
    /** Exports that one process works on at a time. */
    EXPORT_CONCURRENCY: variable.integer(1, 64, 2),
  },
  (values, { leaseMs }) => ({
    days: values.EXPORT_DAYS,
    rangeDaysMax: values.MAX_EXPORT_RANGE_DAYS,
    unfinishedMax: values.MAX_UNFINISHED_EXPORTS,
    /** Of all companies together; 0: no limit. */
    backlogMax: 0,
    concurrency: values.EXPORT_CONCURRENCY,
    leaseMs,
  }),
);

export type ExportConfig = ConfigOf<typeof exportSettings>;
