/** A preference up to its end: text between quotes holds no end, and one that is not closed goes on to the end of the field. */
const PREFERENCE = /(?:[^,"]|"(?:[^"\\]|\\[^])*(?:"|$|\\$))+/g;

/** Name and value of a preference, white space around `=` allowed (RFC 7240, section 2); parameters behind `;` are left. */
const PREFERENCE_PARTS = /^\s*([^\s=;,"]+)\s*(?:=\s*(?:"([^"]*)"|([^\s;"]*)))?/;

/**
 * The preferences of a Prefer field (RFC 7240), by name in lower case, with their values; no value and an empty one are alike. Of
 * one that is given twice the first counts.
 */
export function parsePrefer(field: string): ReadonlyMap<string, string> {
  const preferences = new Map<string, string>();
  for (const [text] of field.matchAll(PREFERENCE)) {
    const [, name, quoted, plain] = PREFERENCE_PARTS.exec(text) ?? [];
    const known = name?.toLowerCase();
    if (known !== undefined && !preferences.has(known)) preferences.set(known, quoted ?? plain ?? '');
  }
  return preferences;
}
