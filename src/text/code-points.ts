const SURROGATE_OR_ABOVE = /[\ud800-\uffff]/;

/** UTF-16 puts surrogates (U+10000 and above) before U+E000; moving them behind gives the order of code points. */
function rank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}

function compareUnits(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at += 1) {
    const difference = rank(a.charCodeAt(at)) - rank(b.charCodeAt(at));
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

/** Orders text by code point (decisions.md, section 2, `sort`): negative, zero or positive, as `Array.prototype.sort` takes it. */
export function compareCodePoints(a: string, b: string): number {
  if (a === b) return 0;
  if (SURROGATE_OR_ABOVE.test(a) && SURROGATE_OR_ABOVE.test(b)) return compareUnits(a, b);
  return a < b ? -1 : 1;
}
