import { defineSettings, variable, type ConfigOf } from "@hourglass/runtime";

/** The settings of Export and of the workers that run exports. */
export const exportSettings = defineSettings(
  {
    /** Days for which an export is kept. 0: always. */
    EXPORT_DAYS: variable.integer(0, 36_500, 90),
    /** Longest range of dates of one export, in days. */
    MAX_EXPORT_RANGE_DAYS: variable.integer(1, 366, 366),
    /** Unfinished exports of one company; more are refused with 429. 0: no limit. */
    MAX_UNFINISHED_EXPORTS: variable.integer(0, 10_000_000, 100),
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
