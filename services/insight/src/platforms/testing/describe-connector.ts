import { afterEach, beforeEach, describe } from "vitest";
import { type ConnectorUnderTest, ConnectorWorld, type Upstream } from "./connector-world.js";
import { describeAnswers, type AnswerShape } from "./describe-answers.js";
import { describeFaults, type OwnConsequences } from "./describe-faults.js";
import { describeRechecks, type RecheckSuite } from "./describe-rechecks.js";
import { describeDeaths, describeIrregularities, describePolls } from "./describe-polls.js";

/** A connector, its fake, and what the suite must know of both. */
export interface ConnectorSuite<U extends Upstream> extends ConnectorUnderTest<U> {
  /** Postings of one page; a first poll of the suite reads two and a half. */
  readonly pageSize: number;
  /** The credentials, which no sentence may contain. */
  readonly secret?: string;
  /** What faults mean on this platform, where it differs from `faults.ts`. */
  readonly faults?: OwnConsequences;
  /** Where the items of an answer are; absent if answers are not JSON. */
  readonly answers?: AnswerShape;
  /** Absent if stored postings cannot be looked up. */
  readonly rechecks?: RecheckSuite<U>;
}

/**
 * What every connector does, on the real collector and store: each posting is stored once whatever the platform repeats,
 * loses or refuses, and whenever the process dies.
 */
export function describeConnector<U extends Upstream>(suite: ConnectorSuite<U>): void {
  describe(`the connector of ${suite.module.name}`, () => {
    let opened: ConnectorWorld<U>;
    beforeEach(async () => {
      opened = await ConnectorWorld.open(suite);
    });
    afterEach(() => opened.close());
    const worldOf = (): ConnectorWorld<U> => opened;
    const { pageSize, faults = {}, secret, answers, rechecks } = suite;
    describePolls(pageSize, worldOf);
    describeDeaths(pageSize, worldOf);
    describeIrregularities(pageSize, worldOf);
    describeFaults({ faults, secret }, worldOf);
    if (answers !== undefined) describeAnswers(answers, worldOf);
    if (rechecks !== undefined) describeRechecks(rechecks, worldOf);
  });
}
