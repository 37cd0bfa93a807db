import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * An order of test files that begins with those for which `isLong` is true. By default vitest begins with the largest,
 * and a small one that starts processes, or waits for leases, delays the end.
 */
export function longestFirst(isLong: (file: TestSpecification) => boolean): typeof BaseSequencer {
  return class extends BaseSequencer {
    override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
      const sorted = await super.sort(files);
      return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
    }
  };
}
