import type { StatedValues } from './compare-records.js';
import { FAX_MARK, findPhoneNumbers, toPhoneKeys } from '../../identifiers/phone-number.js';
import { parseCountryCode } from '../../region/country.js';
import { isOpenAt, parseOpeningHours } from '../../text/local-time/opening-hours.js';
import { findCountryTimeZone } from '../../text/local-time/country-time-zone.js';
import { formatLocalTime, parseTimeZone, readLocalClock } from '../../text/local-time/time-zone.js';
import type { TimeZone } from '../../text/local-time/time-zone.js';

/** Of a property of one record. A hostile one may have thousands. */
const MAX_ITEMS = 20;

/** What one or several records of a team state in any spelling, as the first of them writes it. */
export interface Statement {
  readonly text: string;
  /** Places of these records among those of the page; 0 is the record of the page. */
  readonly records: readonly number[];
}

export interface NumberToCall extends Statement {
  readonly isEmergency: boolean;
  /** Stated by the record of the page, or by several. One other record may be an impostor's. */
  readonly isConfirmed: boolean;
}

/** The one to call first comes first: confirmed, then emergency numbers, then those that most records state. No fax. */
export function listTeamNumbers(records: readonly StatedValues[]): readonly NumberToCall[] {
  const emergency = collectStatements(records, 'phone-emergency').flatMap(splitNumbers);
  const isEmergency = new Set(toPhoneKeys(emergency.map(({ text }) => text)));
  const rank = (one: NumberToCall): number => (one.isConfirmed ? 2 : 0) + (one.isEmergency ? 1 : 0);
  return mergeStatements(
    [...emergency, ...collectStatements(records, 'phone-numbers').flatMap(splitNumbers)],
    toPhoneKeys,
  )
    .filter(({ text }) => !FAX_MARK.test(text))
    .map((one) => ({
      ...one,
      isEmergency: toPhoneKeys([one.text]).some((key) => isEmergency.has(key)),
      isConfirmed: one.records.includes(0) || one.records.length > 1,
    }))
    .sort((a, b) => rank(b) - rank(a) || b.records.length - a.records.length);
}

/** A text with several international numbers and nothing else: one without a country code may lack more. */
function splitNumbers({ text, records }: Statement): readonly Statement[] {
  const numbers = text.length > MAX_NUMBERS_LENGTH || /\p{L}/u.test(text) ? [] : findPhoneNumbers(text);
  const areComplete = numbers.length > 1 && numbers.every((number) => /^(?:\+|00)/.test(number));
  return areComplete ? numbers.slice(0, MAX_ITEMS).map((one) => ({ text: one, records })) : [{ text, records }];
}

/** In characters. */
const MAX_NUMBERS_LENGTH = 500;

export function listTeamAddresses(records: readonly StatedValues[]): readonly Statement[] {
  return mergeStatements(collectStatements(records, 'email'), (texts) => texts.map((text) => text.toLowerCase()));
}

function collectStatements(records: readonly StatedValues[], property: string): readonly Statement[] {
  return records.flatMap((values, at) =>
    (values.get(property) ?? []).slice(0, MAX_ITEMS).map((text) => ({ text, records: [at] })),
  );
}

function mergeStatements(
  statements: readonly Statement[],
  normalize: (texts: readonly string[]) => readonly string[],
): readonly Statement[] {
  const merged = new Map<string, Statement>();
  for (const { text, records } of statements) {
    const [key = text] = normalize([text]);
    const known = merged.get(key);
    merged.set(key, { text: known?.text ?? text, records: [...new Set([...(known?.records ?? []), ...records])] });
  }
  return [...merged.values()];
}

/** The time at the place of a team: by its country, or by a stated zone, of standard or summer time. */
export interface PlaceTime {
  readonly zone: TimeZone;
  readonly basis: 'country' | 'stated' | 'summer';
}

/**
 * The zone of the country alone where the first stated zone has the same time at present, in winter or summer. Else all
 * that is stated beside it: nothing says which one is right. Empty where nothing is known.
 */
export function findPlaceTimes(records: readonly StatedValues[], now: number): readonly PlaceTime[] {
  const read = (property: string, basis: PlaceTime['basis']): readonly PlaceTime[] =>
    collectStatements(records, property)
      .flatMap(({ text }) => parseTimeZone(text) ?? [])
      .slice(0, 1)
      .map((zone) => ({ zone, basis }));
  const country = records.flatMap((values) => parseCountryCode(values.get('country-code')?.[0] ?? '') ?? [])[0];
  const zone = country === undefined ? undefined : findCountryTimeZone(country, now);
  const standard = read('timezone', 'stated');
  const stated = standard.length === 0 ? [] : [...standard, ...read('timezone-dst', 'summer')];
  if (zone === undefined) return stated;
  const time = formatLocalTime(now, zone);
  const isConfirmed = stated.some((one) => formatLocalTime(now, one.zone) === time);
  return [{ zone, basis: 'country' }, ...(isConfirmed ? [] : stated)];
}

export interface StatedHours extends Statement {
  /** Undefined where the hours cannot be read, or the time there is unknown. */
  readonly isOpen: boolean | undefined;
}

export function listHours(
  records: readonly StatedValues[],
  times: readonly PlaceTime[],
  now: number,
): readonly StatedHours[] {
  const hours = mergeStatements(collectStatements(records, 'operating-hours'), (texts) => texts);
  return hours.map((one) => ({ ...one, isOpen: judgeHours(one.text, times, now) }));
}

function judgeHours(text: string, times: readonly PlaceTime[], now: number): boolean | undefined {
  const hours = parseOpeningHours(text);
  if (hours === undefined || hours.kind === 'always') return hours && true;
  const zones = hours.zone === undefined ? times.map(({ zone }) => zone) : [hours.zone];
  const states = new Set(zones.map((zone) => isOpenAt(hours, readLocalClock(now, zone))));
  return states.size === 1 ? states.has(true) : undefined;
}
