import { FAX_MARK, toPhoneKeys } from '../../identifiers/phone-number.js';
import { toItems } from '../../model/property-value.js';
import type { PropertyValue } from '../../model/property-value.js';

/** `phone-emergency`, then `phone`, then `fax` with `(fax)`, each without the numbers before it (decisions 4.15). */
export function mergePhoneNumbers(team: ReadonlyMap<string, PropertyValue>): readonly string[] | undefined {
  const read = (name: string): readonly string[] => toItems(team.get(name)).map(String);
  const faxes = read('fax').map((fax) => (FAX_MARK.test(fax) ? fax : `${fax} (fax)`));
  let numbers: readonly string[] = [];
  for (const list of [read('phone-emergency'), read('phone'), faxes]) {
    const known = new Set(toPhoneKeys(numbers));
    const keys = toPhoneKeys(list);
    numbers = [...numbers, ...list.filter((_, at) => !known.has(keys[at] ?? ''))];
  }
  return numbers.length === 0 ? undefined : numbers;
}
