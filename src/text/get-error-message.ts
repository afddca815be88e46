/** Returns the message of an error; of another value that was thrown, its text. */
export function getErrorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
