import { itemsOf } from '../model/value.js';
import type { Value } from '../model/value.js';

const FAX = /\(fax\)\s*$/i;

/** A data team's telephone numbers in one list: the fax number marked `(fax)`, the emergency number behind; none twice. */
export function withFax(team: ReadonlyMap<string, Value>): readonly string[] | undefined {
  const numbers = itemsOf(team.get('phone')).map(String);
  for (const fax of itemsOf(team.get('fax')).map(String)) add(numbers, FAX.test(fax) ? fax : `${fax} (fax)`);
  for (const emergency of itemsOf(team.get('phone-emergency')).map(String)) add(numbers, emergency);
  return numbers.length === 0 ? undefined : numbers;
}

function add(numbers: string[], number: string): void {
  if (!numbers.some((known) => isSame(known, number))) numbers.push(number);
}

/** The same digits, or without any the same text, and both of a fax or both not. */
function isSame(a: string, b: string): boolean {
  return digitsOf(a) === digitsOf(b) && FAX.test(a) === FAX.test(b);
}

function digitsOf(number: string): string {
  const digits = number.replace(/\D/g, '');
  return digits === '' ? number : digits;
}
