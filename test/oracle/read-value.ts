import { parseCountryCode } from '../../src/region/region.js';
import { day, httpDate, isoDay, isoSecond } from './text.js';

/** One value of a property. */
export type One = string | number | boolean;

/** A value as it is shown. */
export type Shown = One | readonly One[];

/** Reads what came as what the property should be; undefined where it is empty (decisions.md, section 4). */
export type Read = (raw: unknown) => Shown | undefined;

/** The items of a list, or the one value. */
export function items(value: Shown | undefined): readonly One[] {
  return value === undefined ? [] : [value].flat();
}

/** What a value becomes, where there is one. */
export function mapped<T, U>(value: T | undefined, map: (value: T) => U): U | undefined {
  return value === undefined ? undefined : map(value);
}

/** The list, where it is not empty. */
export function filled<T>(list: readonly T[] | undefined): readonly T[] | undefined {
  return list?.length === 0 ? undefined : list;
}

/** A property that nobody knows: scalars keep their type. */
export function any(raw: unknown): Shown | undefined {
  if (Array.isArray(raw)) return filled(raw.map(scalar).filter((item) => item !== undefined));
  return scalar(raw);
}

function scalar(raw: unknown): One | undefined {
  if (typeof raw === 'number' || typeof raw === 'boolean') return raw;
  if (typeof raw === 'string') return raw.trim() === '' ? undefined : raw.trim();
  const empty = raw === null || raw === undefined || Object.keys(raw).length === 0;
  return empty ? undefined : JSON.stringify(raw);
}

export function text(raw: unknown): string | undefined {
  return mapped(any(raw), (value) => (Array.isArray(value) ? value.join(', ') : String(value)));
}

export function list(raw: unknown): readonly string[] | undefined {
  return mapped(any(raw), (value) => items(value).map(String));
}

export function phones(raw: unknown): readonly string[] | undefined {
  return filled(list(raw)?.filter((phone) => phone !== '(fax)'));
}

export function country(raw: unknown): string | undefined {
  return mapped(text(raw), (code) => parseCountryCode(code) ?? code);
}

export function countries(raw: unknown): readonly string[] | undefined {
  return list(raw)?.map((code) => parseCountryCode(code) ?? code);
}

/** As exact as it came. */
export function date(raw: unknown): string | undefined {
  return mapped(text(raw), (value) => mapped(day(value), isoDay) ?? value);
}

/** ISO 8601 with offset. */
export function timestamp(raw: unknown): string | undefined {
  return mapped(text(raw), (value) => mapped(day(value), ({ at }) => isoSecond(at)) ?? value);
}

/** The same with a space. */
export function spaced(raw: unknown): string | undefined {
  return mapped(text(raw), (value) => mapped(day(value), ({ at }) => isoSecond(at).replace('T', ' ')) ?? value);
}

export function published(raw: unknown): string | undefined {
  return mapped(text(raw), (value) => mapped(day(value), ({ at }) => httpDate(at)) ?? value);
}

/** A link against the site of its source. */
export function absolute(link: Shown | undefined, site: string | undefined): Shown | undefined {
  if (typeof link !== 'string' || site === undefined || /^[a-z]+:/i.test(link)) return link;
  return new URL(link, site).href;
}
