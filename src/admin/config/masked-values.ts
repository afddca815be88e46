import type { DocumentNode } from '../../model/document-node.js';
import { parseUrl } from '../../text/url.js';

/** In place of a value that is secret, or may be. */
export const MASK = '(hidden)';

/** Undefined: the setting has no value, and is left out. */
export type ShownSettings<Settings> = { readonly [Name in keyof Settings]-?: DocumentNode | undefined };

/** Names become kebab-case, as in the configuration file. */
export function toSettings(
  shown: Readonly<Record<string, DocumentNode | undefined>>,
): ReadonlyMap<string, DocumentNode> {
  return new Map(
    Object.entries(shown).flatMap(([name, value]): [string, DocumentNode][] =>
      value === undefined ? [] : [[name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`), value]],
    ),
  );
}

export function maskValue(value: string | undefined): string | undefined {
  return value === undefined ? undefined : MASK;
}

/** Masks what may be secret in an address: user name, password, and the values of its query. */
export function maskUrl(address: string): string {
  const url = parseUrl(address);
  if (url === undefined) return MASK;
  const user = url.username === '' && url.password === '' ? '' : `${MASK}@`;
  const names = url.search.slice(1).split('&').map(maskQueryPart);
  const query = url.search.length > 1 ? `?${names.join('&')}` : '';
  const hasPath = address.includes('/', `${url.protocol}//`.length);
  return `${url.protocol}//${user}${url.host}${hasPath ? url.pathname : ''}${query}`;
}

function maskQueryPart(part: string): string {
  const at = part.indexOf('=');
  return at < 0 ? MASK : `${part.slice(0, at)}=${MASK}`;
}

const DURATION_UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
  ['ms', 1],
] as const;

/** As the configuration file writes it, such as `90s` (operation 2.2). */
export function showDuration(milliseconds: number): string {
  if (milliseconds === 0) return '0s';
  const [unit, factor] = DURATION_UNITS.find(([, length]) => milliseconds % length === 0) ?? DURATION_UNITS[3];
  return `${milliseconds / factor}${unit}`;
}

const SIZE_UNITS = [
  ['GiB', 2 ** 30],
  ['MiB', 2 ** 20],
  ['KiB', 2 ** 10],
  ['', 1],
] as const;

/** Such as `16MiB`. */
export function showSize(bytes: number): string {
  const [unit, factor] = SIZE_UNITS.find(([, size]) => bytes % size === 0) ?? SIZE_UNITS[3];
  return `${bytes / factor}${unit}`;
}

/** Such as `600/1m`. */
export function showRate(rate: { readonly requests: number; readonly period: number } | undefined): string | undefined {
  return rate && `${rate.requests}/${showDuration(rate.period)}`;
}
