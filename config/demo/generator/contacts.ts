import type { SeededRandom } from './seeded-random.js';

/**
 * Number ranges that the regulators of the countries reserve for fiction; `n` is a number under 100. All other
 * countries get +999, an unassigned country code.
 */
const fiction: Readonly<Record<string, string>> = {
  AU: '+61 2 5550 00nn',
  CA: '+1 613-555-01nn',
  DE: '+49 30 23125 0nn',
  FR: '+33 1 99 00 00 nn',
  GB: '+44 20 7946 00nn',
  IE: '+353 20 910 00nn',
  JM: '+1 876-555-01nn',
  SE: '+46 8 465 004 nn',
  US: '+1 202-555-01nn',
};

/** A telephone number of the country that is not in use. */
export function phone(country: string, n: number): string {
  return (fiction[country] ?? '+999 5550 01nn').replace('nn', String(n % 100).padStart(2, '0'));
}

/** One to three numbers; the last one may be a fax number, marked as in directories. */
export function phones(country: string, dice: SeededRandom): readonly string[] {
  const first = dice.below(100);
  const numbers = Array.from({ length: 1 + dice.below(3) }, (_, at) => phone(country, first + at));
  return dice.chance(30) ? [...numbers, `${phone(country, first + 50)} (fax)`] : numbers;
}

/**
 * A fingerprint of 40 hexadecimal digits that is recognisably made up: DE30 ("demo"), zeros, and a number of six digits. The
 * sample repositories state the fingerprint of a key in its place (`replaceFingerprint`).
 */
export function makeUpFingerprint(dice: SeededRandom): string {
  return `0xDE30DE30DE30${dice.below(0x1000000).toString(16).toUpperCase().padStart(28, '0')}`;
}

/** A date of establishment in ISO 8601, exact to the year, month or day. */
export function established(dice: SeededRandom): string {
  const date = `${1988 + dice.below(37)}-${two(1 + dice.below(12))}-${two(1 + dice.below(28))}`;
  return date.slice(0, dice.pick([4, 7, 10, 10, 10]));
}

/** A time from 2012 to July 2026, ISO 8601 with offset. */
export function modified(dice: SeededRandom): string {
  const year = dice.chance(60) ? 2024 + dice.below(3) : 2012 + dice.below(12);
  const time = [dice.below(24), dice.below(60), dice.below(60)].map(two).join(':');
  return `${year}-${two(1 + dice.below(7))}-${two(1 + dice.below(28))}T${time}+00:00`;
}

function two(number: number): string {
  return String(number).padStart(2, '0');
}
