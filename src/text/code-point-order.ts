const SURROGATE_OR_ABOVE = /[\ud800-\uffff]/;

function compareByUnit(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at += 1) {
    if (a.charCodeAt(at) !== b.charCodeAt(at)) return compareCodePointAt(at - 1, a, b) || compareCodePointAt(at, a, b);
  }
  return a.length - b.length;
}

/** By the code point that begins at a unit. The one before the first difference differs where only one of the texts pairs it up. */
function compareCodePointAt(at: number, a: string, b: string): number {
  return (a.codePointAt(at) ?? 0) - (b.codePointAt(at) ?? 0);
}

/** Orders text by code point (decisions.md, section 2, `sort`): negative, zero or positive, as `Array.prototype.sort` takes it. */
export function compareCodePoints(a: string, b: string): number {
  if (a === b) return 0;
  if (SURROGATE_OR_ABOVE.test(a) && SURROGATE_OR_ABOVE.test(b)) return compareByUnit(a, b);
  return a < b ? -1 : 1;
}
