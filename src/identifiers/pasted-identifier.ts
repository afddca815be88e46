/** Ways in which reports write parts of addresses, so that nobody opens these by mistake (defanging). */
const DEFANGED: readonly (readonly [RegExp, string])[] = [
  [/ ?[[({](?:\.|dot)[\])}] ?/gi, '.'],
  [/\[:\/\/\]/g, '://'],
  [/\[:\]/g, ':'],
  [/ ?[[({](?:@|at)[\])}] ?/gi, '@'],
  [/\bhxxp/gi, 'http'],
];

/** Dashes of all lengths, as word processors write them. */
const DASH = /\p{Pd}/gu;

const QUOTES = '"\'`\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u201f\u2039\u203a\u00ab\u00bb';
const OPENING = `<(.${QUOTES}`;
const CLOSING = `>).,:;!?${QUOTES}`;

/** Brackets that are also part of identifiers: they are removed only from both ends together. */
const PAIRS: Readonly<Record<string, string>> = { '[': ']', '{': '}' };

/**
 * Returns a text that may be an identifier as it is compared: without the brackets, quotes and punctuation marks around it,
 * with dashes, digits and spaces in their plain forms, and with the dots, colons and `@` that a report has defanged
 * (`hxxps://dept[.]example[.]org`).
 */
export function readPastedIdentifier(text: string): string {
  const trimmed = text.normalize('NFKC').replace(DASH, '-').trim();
  return removeMarksAround(DEFANGED.reduce((known, [pattern, plain]) => known.replace(pattern, plain), trimmed));
}

function removeMarksAround(text: string): string {
  let [from, end] = [0, text.length];
  for (;;) {
    while (from < end && OPENING.includes(text.charAt(from))) from += 1;
    while (end > from && CLOSING.includes(text.charAt(end - 1)) && !endsWithZeros(text, end)) end -= 1;
    if (PAIRS[text.charAt(from)] !== text.charAt(end - 1)) return text.slice(from, end);
    from += 1;
    end -= 1;
  }
}

/** Whether a text ends at `end` with the two colons of an IPv6 address. */
function endsWithZeros(text: string, end: number): boolean {
  return text.slice(Math.max(0, end - 3), end).replace(/^[^:]/, '') === '::';
}
