const SURROGATE_OR_ABOVE = /[\ud800-\uffff]/;

function compareByUnit(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at += 1) {
    if (a.charCodeAt(at) !== b.charCodeAt(at)) return compareCodePointAt(at - 1, a, b) || compareCodePointAt(at, a, b);
  }
  return a.length - b.length;
}

/** The unit before the first difference may be a high surrogate, whose code point depends on the next unit. */
function compareCodePointAt(at: number, a: string, b: string): number {
  return (a.codePointAt(at) ?? 0) - (b.codePointAt(at) ?? 0);
}

/** Decisions 2.23. Returns a negative number, zero or a positive number, as `Array.prototype.sort` expects. */
export function compareCodePoints(a: string, b: string): number {
  if (a === b) return 0;
  if (SURROGATE_OR_ABOVE.test(a) && SURROGATE_OR_ABOVE.test(b)) return compareByUnit(a, b);
  return a < b ? -1 : 1;
}
