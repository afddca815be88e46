import { toItems } from '../../model/property-value.js';
import type { PropertyValue } from '../../model/property-value.js';

const FAX = /\(fax\)\s*$/i;

/**
 * Joins the telephone numbers of a data team in one list (decisions 4.15): `phone`, `fax` marked with `(fax)`, then
 * `phone-emergency`, without duplicates.
 */
export function mergePhoneNumbers(team: ReadonlyMap<string, PropertyValue>): readonly string[] | undefined {
  const numbers = toItems(team.get('phone')).map(String);
  const known = new Set(numbers.map(numberKey));
  const add = (number: string): void => {
    const key = numberKey(number);
    if (!known.has(key)) numbers.push(number);
    known.add(key);
  };
  for (const fax of toItems(team.get('fax')).map(String)) add(FAX.test(fax) ? fax : `${fax} (fax)`);
  toItems(team.get('phone-emergency')).map(String).forEach(add);
  return numbers.length === 0 ? undefined : numbers;
}

/** Equal for two numbers with the same digits, or the same text if they have none, if both or neither are of a fax. */
function numberKey(number: string): string {
  const digits = number.replace(/\D/g, '');
  return `${FAX.test(number) ? 'fax' : 'phone'} ${digits === '' ? number : digits}`;
}
