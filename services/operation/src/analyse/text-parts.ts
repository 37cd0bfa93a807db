import { failpoint } from "@hourglass/runtime";
import type { GroupTexts } from "./group-texts.js";
import type { ContentValue } from "../records/operation.js";
import type { PartAnalysis, PartContents } from "./part-analysis.js";
import type { TextOutcome } from "../records/text-outcome.js";
import type { TextAnalysis } from "./text-analysis.js";

/** Contents that are texts. */
export class TextParts implements PartAnalysis {
  constructor(
    private readonly texts: TextAnalysis,
    private readonly groups: GroupTexts,
  ) {}

  async analyse(
    { first, contents }: PartContents,
    onContent: (count: number) => Promise<void>,
  ): Promise<TextOutcome[]> {
    const outcomes = await this.texts.analyseOwn(
      contents.map((content, offset) => ({ text: String(content), grouped: this.groups.isMember(first + offset) })),
    );
    failpoint("worker.mid");
    await onContent(contents.length);
    return outcomes;
  }

  groupTexts(contents: readonly ContentValue[]): string[] {
    return contents.map(String);
  }
}
