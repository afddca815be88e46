import { findPrimaryTimeZone } from '../../region/cldr-territories.js';
import { formatLocalTime } from './time-zone.js';
import type { TimeZone } from './time-zone.js';

/**
 * Of a country (alpha-2, upper case), if its zones have the same time at present, or nearly everybody there lives in
 * one of them. `at` is in milliseconds since 1970.
 */
export function findCountryTimeZone(code: string, at: number): TimeZone | undefined {
  const primary = findPrimaryTimeZone(code);
  if (primary !== undefined) return { zone: primary };
  const [zone, ...others] = new Set(listTimeZones(code));
  if (zone === undefined) return undefined;
  const time = formatLocalTime(at, { zone });
  return others.every((other) => formatLocalTime(at, { zone: other }) === time) ? { zone } : undefined;
}

/** Node.js 20 has the list as a property, later versions as a method. */
function listTimeZones(code: string): readonly string[] {
  if (!/^[A-Z]{2}$/.test(code)) return [];
  const locale = new Intl.Locale(`und-${code}`);
  const method: unknown = Reflect.get(locale, 'getTimeZones');
  const list: unknown =
    typeof method === 'function' ? Reflect.apply(method, locale, []) : Reflect.get(locale, 'timeZones');
  return Array.isArray(list) ? list.filter((zone) => typeof zone === 'string') : [];
}
