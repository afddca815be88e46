/** RFC 6793. */
const MAX_NUMBER = 2 ** 32 - 1;

const AS_NUMBER = String.raw`(?:asn?|as number|autonomous system(?: number)?)[\s:#-]{0,3}(\d{1,10})`;
const WHOLE = new RegExp(`^${AS_NUMBER}$`, 'i');
const WITHIN = new RegExp(String.raw`\b${AS_NUMBER}\b`, 'gi');

/** Reads `AS64500`, `ASN 64500` or similar. Undefined for any other text. */
export function parseAsNumber(text: string): number | undefined {
  const [, digits = ''] = WHOLE.exec(text.trim()) ?? [];
  return readNumber(digits);
}

export function findAsNumbers(text: string): readonly number[] {
  return [...text.matchAll(WITHIN)].flatMap(([, digits = '']) => readNumber(digits) ?? []);
}

function readNumber(digits: string): number | undefined {
  const number = Number(digits);
  return digits !== '' && number <= MAX_NUMBER ? number : undefined;
}
