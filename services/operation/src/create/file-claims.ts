/** Claims on uploaded files, on behalf of one caller. */
export interface FileClaims {
  /** All of them for this operation, or none: AppError `invalid` names each that is unknown or used. */
  claim(operationId: number, fileIds: readonly number[]): Promise<void>;
  /** Gives back what the operation claimed. */
  release(operationId: number): Promise<void>;
  /** Deletes what the operation claimed. */
  erase(operationId: number): Promise<void>;
}
