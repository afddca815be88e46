/** Characters of a file name that mean the same everywhere: within a quoted string, on every disk, to every shell. */
const UNSAFE_CHARACTERS = /[^A-Za-z0-9._-]+/g;

/**
 * A Content-Disposition field (RFC 6266) that has an answer saved as a file. Whatever else stands in the name becomes `_`, so that
 * nothing can end the name, the field or the head.
 */
export function serializeAttachment(fileName: string): string {
  return `attachment; filename="${fileName.replace(UNSAFE_CHARACTERS, '_')}"`;
}
