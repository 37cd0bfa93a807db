import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * An order of test files that begins with those that `isLong` names. Without it vitest begins with the largest, and a small
 * one that starts processes, or waits for leases, keeps everything waiting at the end.
 */
export function longestFirst(isLong: (file: TestSpecification) => boolean): typeof BaseSequencer {
  return class extends BaseSequencer {
    override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
      const sorted = await super.sort(files);
      return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
    }
  };
}
