/** A number with fewer digits may be a year or a house number. */
const MIN_DIGITS = 5;

/** E.164 with a long extension. */
const MAX_DIGITS = 24;

/** Of a telephone number with its notes. */
const MAX_LENGTH = 100;

/**
 * Digits without the prefix of international calls and the trunk prefix: `+47 (0) 555`, `0047 555` and `0555` become
 * `47555`, `47555` and `555`. Undefined for too few digits.
 */
export function readPhoneDigits(number: string): string | undefined {
  const digits = number.replace(TRUNK_PREFIX, '').replace(/\D/g, '').replace(/^0+/, '');
  return digits.length < MIN_DIGITS ? undefined : digits.slice(0, MAX_DIGITS);
}

const TRUNK_PREFIX = /[([]\s{0,2}0\s{0,2}[)\]]/g;

/** Marks a fax on the directory interface (decisions 4.15). */
export const FAX_MARK = /\(fax\)\s*$/i;

/**
 * Texts that are equal for all spellings of one telephone number: its digits without the prefix of international calls
 * and without the trunk prefix behind a country code (`+47 (0) 555`, `0047 555` and `47 555`), or the text itself if it
 * has no digits. A fax is another number. Numbers that are too long together (`isTooLongToCompare`) remain as written.
 */
export function toPhoneKeys(numbers: readonly string[]): readonly string[] {
  return isTooLongToCompare(numbers) ? numbers : numbers.map(toPhoneKey);
}

/** Values that are too long together are compared as written. */
export function isTooLongToCompare(items: readonly string[]): boolean {
  return items.reduce((sum, item) => sum + item.length, 0) > MAX_COMPARED_LENGTH;
}

/** Values of real teams other than keys have up to 700; a value of megabytes would stop all answers for a second. */
const MAX_COMPARED_LENGTH = 10_000;

function toPhoneKey(number: string): string {
  const digits = number.replace(TRUNK_PREFIX_WITHIN, '').replace(/\D/g, '').replace(/^00/, '');
  return `${FAX_MARK.test(number) ? 'fax' : 'phone'} ${digits === '' ? number : digits}`;
}

const TRUNK_PREFIX_WITHIN = new RegExp(String.raw`(?<=\d[\s./-]{0,2})${TRUNK_PREFIX.source}`, 'g');

export function listPhoneNumbers(text: string): readonly string[] {
  return splitPhoneNumbers(text).flatMap((number) => readPhoneDigits(number) ?? []);
}

/**
 * As they are written: `+47 555 / +47 556`, `22113344 or 22113355`. A slash within a number, behind an area code (`0471
 * / 12345`), does not split it. Extensions, hours and notes are left out.
 */
export function splitPhoneNumbers(text: string): readonly string[] {
  return separateNotes(text).replace(NOTE_MARKS, ';').split(BETWEEN_NUMBERS).flatMap(splitAtMarks);
}

const ADDITIONS =
  /\b24 ?(?:[/x*] ?7(?: ?[/x*] ?365)?|h|hours)\b|(?:\bext(?:ension|n)?[.:= ]{0,3}|\bx ?|#)\d{1,6}(?!\d)/gi;

/** A note in parentheses is `(fax)` or `(Mo-Fr 8-17)`, for example. */
function separateNotes(text: string, separator: (note: string) => string = (note) => `;${note};`): string {
  return text
    .replace(TRUNK_PREFIX, '')
    .replace(ADDITIONS, ';')
    .replace(PARENTHESES, (part, content: string) => (NO_PART.test(content) ? separator(content) : part));
}

/** The end of a text closes parentheses, too: punctuation marks at its end may be removed. */
const PARENTHESES = /\(([^()]*)\)?/g;

/** No part of a number in parentheses, such as an area code, has such a character. */
const NO_PART = /[^\d\s.+/-]/;

/** Digits directly behind a letter, such as `line1`. */
const NOTE_MARKS = /\p{L}\d{1,6}(?!\d)/gu;

/**
 * A character that is in no number; `+` or `00`, with which one begins; and white space between numbers that are
 * complete without any within them.
 */
const BETWEEN_NUMBERS = /[^\d\s().\-/+]+|(?=\+)|\/(?= ?00)|(?<=\d{7})\s+(?=\d{7})/;

/** Only with complete numbers on both sides. A short other ending (`22113344/55`) is left out. */
function splitAtMarks(text: string): readonly string[] {
  const numbers: string[] = [];
  let digits = 0;
  let hasSlash = false;
  for (const part of text.split(BEFORE_MARK)) {
    const further = part.replace(/\D/g, '').length;
    if (further === 0) continue;
    if (numbers.length === 0 || (digits >= MIN_COMMON_DIGITS && further >= MIN_COMMON_DIGITS)) {
      numbers.push(part.replace(MARK, ''));
      [digits, hasSlash] = [further, false];
    } else if (hasSlash || digits <= MIN_COMMON_DIGITS || further > MAX_ENDING) {
      numbers.push((numbers.pop() ?? '') + part);
      digits += further;
      hasSlash ||= part.startsWith('/');
    }
  }
  return numbers.map((number) => number.replace(LEADING_MARKS, '').trim());
}

const BEFORE_MARK = /(?=\/)|(?=\s-\s)/;
const MARK = /^(?:\/|\s-\s)/;
const LEADING_MARKS = /^[\s.)/-]+/;

/** Digits of the ending of a further number. */
const MAX_ENDING = 3;

/** Digits at the end of two telephone numbers that show that they are the same one. */
export const MIN_COMMON_DIGITS = 7;

/** The same, whatever is before these digits, such as a trunk prefix behind the country code. */
export const SUFFICIENT_DIGITS = 9;

/** By its first digits, where one of both is the end of the other, or by the same last nine digits. */
export function isNumberFoundBy(number: string, searched: string): boolean {
  const [short, long] = number.length < searched.length ? [number, searched] : [searched, number];
  if (number.startsWith(searched)) return true;
  return short.length >= MIN_COMMON_DIGITS && long.endsWith(short.slice(-SUFFICIENT_DIGITS));
}

/**
 * Digits of a text that is a telephone number, or the first of several, and nothing else; undefined for any other text.
 * Of several, each is complete: `20095, 20097` are postal codes.
 */
export function parsePhoneNumber(text: string): string | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const number = separateNotes(text.replace(TEL_URL, ''), () => ';');
  if (!PHONE_NUMBERS.test(number)) return undefined;
  const numbers = splitPhoneNumbers(number);
  const minimum = numbers.length === 1 ? MIN_DIGITS : MIN_COMMON_DIGITS;
  return numbers.every((one) => hasDigits(one, minimum)) ? readPhoneDigits(numbers[0] ?? '') : undefined;
}

/** As they are written, with at least 7 digits. One without a country code may also be another number. */
export function findPhoneNumbers(text: string): readonly string[] {
  return splitPhoneNumbers(text).filter((number) => hasDigits(number, MIN_COMMON_DIGITS));
}

function hasDigits(number: string, minimum: number): boolean {
  const { length } = number.replace(/\D/g, '').replace(/^0+/, '');
  return length >= minimum && length <= MAX_DIGITS;
}

const PHONE_NUMBERS = /^[+\d(][\d\s().\-/+;,]*$/;

const TEL_URL = /^tel: ?/i;
