/** Largest number of an autonomous system (RFC 6793). */
const MAX_NUMBER = 2 ** 32 - 1;

const AS_NUMBER = /^asn?[\s:#-]*(\d{1,10})$/i;

/** Returns the number of an autonomous system that is written `AS64500`, `ASN 64500` or similar. Undefined for any other text. */
export function parseAsNumber(text: string): number | undefined {
  const [, digits] = AS_NUMBER.exec(text.trim()) ?? [];
  const number = Number(digits);
  return digits !== undefined && number <= MAX_NUMBER ? number : undefined;
}

/** Returns the numbers of autonomous systems in a text. */
export function findAsNumbers(text: string): readonly number[] {
  return (text.match(AS_NUMBER_WITHIN) ?? []).flatMap((token) => parseAsNumber(token) ?? []);
}

const AS_NUMBER_WITHIN = /\basn?\s?\d{1,10}\b/gi;
