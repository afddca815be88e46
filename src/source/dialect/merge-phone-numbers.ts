import { toItems } from '../../model/property-value.js';
import type { PropertyValue } from '../../model/property-value.js';

const FAX = /\(fax\)\s*$/i;

/**
 * Joins the telephone numbers of a data team in one list (decisions 4.15): `phone`, `fax` marked with `(fax)`, then
 * `phone-emergency`, without duplicates.
 */
export function mergePhoneNumbers(team: ReadonlyMap<string, PropertyValue>): readonly string[] | undefined {
  const numbers = toItems(team.get('phone')).map(String);
  for (const fax of toItems(team.get('fax')).map(String)) addNumber(numbers, FAX.test(fax) ? fax : `${fax} (fax)`);
  for (const emergency of toItems(team.get('phone-emergency')).map(String)) addNumber(numbers, emergency);
  return numbers.length === 0 ? undefined : numbers;
}

function addNumber(numbers: string[], number: string): void {
  if (!numbers.some((known) => isSameNumber(known, number))) numbers.push(number);
}

/** Whether two numbers have the same digits, or the same text if they have none, and both or neither are of a fax. */
function isSameNumber(a: string, b: string): boolean {
  return digitsOf(a) === digitsOf(b) && FAX.test(a) === FAX.test(b);
}

function digitsOf(number: string): string {
  const digits = number.replace(/\D/g, '');
  return digits === '' ? number : digits;
}
