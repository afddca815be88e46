/** Minimum number of digits of a telephone number. Years and house numbers have fewer. */
const MIN_DIGITS = 5;

/** Most digits that are compared: those of E.164 with a long extension. */
const MAX_DIGITS = 24;

/**
 * Returns the digits of a telephone number without the prefix of international calls and the trunk prefix: `+47 (0) 555`,
 * `0047 555` and `0555` become `47555`, `47555` and `555`. Hours (`24/7`) and extensions are left out. Undefined for a text with too few digits.
 */
export function readPhoneDigits(text: string): string | undefined {
  const number = text.normalize('NFKC').replace(TRUNK_PREFIX, '').replace(ADDITIONS, '');
  const digits = number.replace(/\D/g, '').replace(/^0+/, '');
  return digits.length < MIN_DIGITS ? undefined : digits.slice(0, MAX_DIGITS);
}

const TRUNK_PREFIX = /\(\s*0\s*\)/g;

/** Hours and extensions beside a number. */
const ADDITIONS = /\b24 ?[/x] ?7\b|\b(?:ext|extension)\b[.:= ]{0,3}\d{1,6}/gi;

/**
 * Splits a text with several telephone numbers: `+47 555 / +47 556`, `22113344 or 22113355`. A slash within a number, behind
 * an area code (`0471 / 12345`), does not split it.
 */
export function splitPhoneNumbers(text: string): readonly string[] {
  return text.replace(ADDITIONS, '').split(BETWEEN_NUMBERS).flatMap(splitAtSlashes);
}

/** A number with `+` or `00` begins, or a word is between two numbers. */
const BETWEEN_NUMBERS = /(?=\+)|\/(?= ?00)|\s\p{L}+[.:]?\s(?=[+\d(])/u;

/** Splits a text at the slashes on both sides of which are complete numbers. */
function splitAtSlashes(text: string): readonly string[] {
  const numbers: string[] = [];
  let digits = 0;
  for (const part of text.split('/').filter((one) => one.trim() !== '')) {
    const further = part.replace(/\D/g, '').length;
    if (numbers.length === 0 || (digits >= MIN_COMMON_DIGITS && further >= MIN_COMMON_DIGITS)) {
      numbers.push(part);
      digits = further;
    } else {
      numbers.push(`${numbers.pop() ?? ''}/${part}`);
      digits += further;
    }
  }
  return numbers.map((number) => number.trim());
}

/** Fewest digits at the end of two telephone numbers that show that they are the same one. */
export const MIN_COMMON_DIGITS = 7;

/**
 * Whether a telephone number is found by the digits of another one: by its first digits, or where one of both is the end of
 * the other.
 */
export function isNumberFoundBy(number: string, searched: string): boolean {
  const [short, long] = number.length < searched.length ? [number, searched] : [searched, number];
  return number.startsWith(searched) || (short.length >= MIN_COMMON_DIGITS && long.endsWith(short));
}

/**
 * Returns the digits of a text that is a telephone number, or the first of several, and nothing else; undefined for any other
 * text. Of several, each is complete: `20095 Hamburg 20097` is a place with two postal codes.
 */
export function parsePhoneNumber(text: string): string | undefined {
  const numbers = splitPhoneNumbers(text.replace(TEL_URL, '')).map((number) => number.replace(NOTE, '').trim());
  const minimum = numbers.length === 1 ? MIN_DIGITS : MIN_COMMON_DIGITS;
  const isNumber = (number: string): boolean =>
    PHONE_NUMBER.test(number) && (readPhoneDigits(number)?.length ?? 0) >= minimum;
  return numbers.every(isNumber) ? readPhoneDigits(numbers[0] ?? '') : undefined;
}

/** Returns the digits of the first telephone number in a text: one with a country code, which cannot be another number. */
export function findPhoneNumber(text: string): string | undefined {
  const [number] = NUMBER_WITHIN.exec(text.replace(ADDITIONS, '')) ?? [];
  return number === undefined ? undefined : readPhoneDigits(number);
}

const NUMBER_WITHIN = /(?<!\w)\+\d[\d\s().\-/]{5,40}/;

/** What is in parentheses behind a number, such as `(fax)`, and punctuation marks. */
const NOTE = /(?:\(\s*[a-z]*\s*\))?[\s;,]*$/i;

const PHONE_NUMBER = /^[+\d(][\d\s().\-/]{3,40}$/;

const TEL_URL = /^tel: ?/i;
