/** Thrown inside a commit when the condition of a step fails, so that the steps before it are rolled back. */
export class StepFailed extends Error {
  constructor(readonly step: number) {
    super(`Step ${step} found no document.`);
  }
}
