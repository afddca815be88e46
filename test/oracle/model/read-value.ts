import { recognizeCountry } from '../../support/gateway/program.js';
import { parseDay, httpDate, isoDay, isoSecond } from './text.js';

/** One value of a property. */
export type SingleValue = string | number | boolean;

/** A value as Rollcall shows it. */
export type DisplayedValue = SingleValue | readonly SingleValue[];

/** Reads a raw value as a value of the property; undefined if it is empty (decisions 4.2 to 4.6). */
export type ValueReader = (raw: unknown) => DisplayedValue | undefined;

/** The items of a list, or the one value. */
export function asList(value: DisplayedValue | undefined): readonly SingleValue[] {
  return value === undefined ? [] : [value].flat();
}

/** Maps a value unless it is undefined. */
export function mapDefined<T, U>(value: T | undefined, map: (value: T) => U): U | undefined {
  return value === undefined ? undefined : map(value);
}

/** The list, or undefined if it is empty. */
export function nonEmpty<T>(list: readonly T[] | undefined): readonly T[] | undefined {
  return list?.length === 0 ? undefined : list;
}

/** Reads an unknown property: scalars keep their type. */
export function readAny(raw: unknown): DisplayedValue | undefined {
  if (Array.isArray(raw)) return nonEmpty(raw.map(scalar).filter((item) => item !== undefined));
  return scalar(raw);
}

function scalar(raw: unknown): SingleValue | undefined {
  if (typeof raw === 'number' || typeof raw === 'boolean') return raw;
  if (typeof raw === 'string') return raw.trim() === '' ? undefined : raw.trim();
  const empty = raw === null || raw === undefined || Object.keys(raw).length === 0;
  return empty ? undefined : JSON.stringify(raw);
}

export function readText(raw: unknown): string | undefined {
  return mapDefined(readAny(raw), (value) => (Array.isArray(value) ? value.join(', ') : String(value)));
}

export function readList(raw: unknown): readonly string[] | undefined {
  return mapDefined(readAny(raw), (value) => asList(value).map(String));
}

export function readPhones(raw: unknown): readonly string[] | undefined {
  return nonEmpty(readList(raw)?.filter((phone) => phone !== '(fax)'));
}

export function readCountry(raw: unknown): string | undefined {
  return mapDefined(readText(raw), (text) => recognizeCountry(text) ?? text);
}

export function readCountries(raw: unknown): readonly string[] | undefined {
  return readList(raw)?.map((text) => recognizeCountry(text) ?? text);
}

/** Reads a date with its original precision. */
export function readDate(raw: unknown): string | undefined {
  return mapDefined(readText(raw), (value) => mapDefined(parseDay(value), isoDay) ?? value);
}

/** Reads a date as ISO 8601 with offset. */
export function readTimestamp(raw: unknown): string | undefined {
  return mapDefined(readText(raw), (value) => mapDefined(parseDay(value), ({ at }) => isoSecond(at)) ?? value);
}

/** Reads a date as ISO 8601 with offset, with a space instead of `T`. */
export function readSpaced(raw: unknown): string | undefined {
  return mapDefined(
    readText(raw),
    (value) => mapDefined(parseDay(value), ({ at }) => isoSecond(at).replace('T', ' ')) ?? value,
  );
}

export function readPublished(raw: unknown): string | undefined {
  return mapDefined(readText(raw), (value) => mapDefined(parseDay(value), ({ at }) => httpDate(at)) ?? value);
}

/** Resolves a link against the site of its source. */
export function resolveLink(link: DisplayedValue | undefined, site: string | undefined): DisplayedValue | undefined {
  if (typeof link !== 'string' || site === undefined || /^[a-z]+:/i.test(link)) return link;
  return new URL(link, site).href;
}
