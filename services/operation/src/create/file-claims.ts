/** Claims on uploaded files, on behalf of one caller. */
export interface FileClaims {
  /** Claims all files for the operation or none: AppError `invalid` names each that is unknown or used. */
  claim(operationId: number, fileIds: readonly number[]): Promise<void>;
  /** Releases the files that the operation claimed. */
  release(operationId: number): Promise<void>;
  /** Deletes the files that the operation claimed. */
  erase(operationId: number): Promise<void>;
}
