/** A comma in a quoted string does not end a preference; an unclosed quoted string extends to the end of the field. */
const PREFERENCE = /(?:[^,"]|"(?:[^"\\]|\\[^])*(?:"|$|\\$))+/g;

/** With white space around `=` (RFC 7240, section 2). Parameters after `;` are ignored. */
const PREFERENCE_PARTS = /^\s*([^\s=;,"]+)\s*(?:=\s*(?:"([^"]*)"|([^\s;"]*)))?/;

/**
 * By lower-case name. A missing value equals an empty one. Of a repeated preference the first counts (decisions 6.5).
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
