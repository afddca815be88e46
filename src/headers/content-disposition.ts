/** Not portable between quoted strings, file systems and shells. */
const UNSAFE_CHARACTERS = /[^A-Za-z0-9._-]+/g;

/** RFC 6266; decisions 3.3. Unsafe characters become `_`, so that none can end the quoted string or the field. */
export function serializeAttachment(fileName: string): string {
  return `attachment; filename="${fileName.replace(UNSAFE_CHARACTERS, '_')}"`;
}
