/** Keywords that cannot be understood. The message is a sentence for a person: where it went wrong, what to do. */
export class QuerySyntaxError extends Error {
  override readonly name = "QuerySyntaxError";

  /**
   * @param problem What is wrong, without the full stop.
   * @param position Where, in code points from 1.
   * @param advice What to do about it, as a sentence.
   */
  constructor(
    problem: string,
    readonly position: number,
    advice: string,
  ) {
    super(`${problem} at character ${position}. ${advice}`);
  }
}
