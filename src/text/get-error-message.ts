/** Of a value that is no error, its text. */
export function getErrorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
