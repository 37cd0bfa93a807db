import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Projects whose files take minutes each, most of it waiting for leases and servers. */
const LONG = ["crash", "faults"];

/** Without it vitest begins with the largest files, and one that waits for minutes at the end has no other beside it. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ project }: TestSpecification) => LONG.includes(project.name);
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}
