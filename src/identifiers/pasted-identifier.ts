/** Ways in which reports write parts of addresses, so that nobody opens these by mistake (defanging). */
const DEFANGED: readonly (readonly [RegExp, string])[] = [
  [/ ?[[({](?:\.|dot)[\])}] ?/gi, '.'],
  [/\[:\/\/\]/g, '://'],
  [/\[:\]/g, ':'],
  [/ ?[[({](?:@|at)[\])}] ?/gi, '@'],
  [/\bhxxp/gi, 'http'],
];

const OPENING = '<("\'`';
/** Dashes of all lengths, as word processors write them. */
const DASH = /\p{Pd}/gu;

const CLOSING = '>)"\'`,;!?';

/**
 * Returns a text that may be an identifier as it is compared: without the brackets, quotes and punctuation marks around it,
 * with dashes, digits and spaces in their plain forms, and with the dots, colons and `@` that a report has defanged
 * (`hxxps://dept[.]example[.]org`).
 */
export function readPastedIdentifier(text: string): string {
  const trimmed = text.normalize('NFKC').replace(DASH, '-').trim();
  let [from, end] = [0, trimmed.length];
  while (from < end && OPENING.includes(trimmed.charAt(from))) from += 1;
  while (end > from && CLOSING.includes(trimmed.charAt(end - 1))) end -= 1;
  return DEFANGED.reduce((known, [pattern, plain]) => known.replace(pattern, plain), trimmed.slice(from, end));
}
