import type { SortKey } from '../model/query.js';
import type { Resource } from '../model/resource.js';
import type { Offer } from '../plan/push-down.js';
import type { Parameters } from './dialect.js';
import type { Copy } from './registration.js';

/** What is fetched: a resource in the source's own interface, narrowed by parameters. */
export interface Wish {
  readonly resource: Resource;
  readonly parameters: Parameters;
  /** The source's own id of the one item that is wanted. */
  readonly native?: number;
  /** What the source is believed to do with the parameters: absent where nothing is, and nothing is checked. */
  readonly pushed?: Pushed;
  /** Whether it is fetched however many records there are; else only up to the source's drain-threshold. */
  readonly however?: true;
}

/** A query, or part of it, that a source is believed to answer as it would be answered here (decisions.md, section 5). */
export interface Pushed {
  /** What every record that comes must meet. */
  readonly exact: Offer['exact'];
  /** Whether the source counts what meets it; else its totals are not listened to. */
  readonly counted: boolean;
  /** Records from the start of an order that are wanted; absent: all. */
  readonly front?: { readonly order: readonly SortKey[]; readonly first: number };
}

const WHOLES = new WeakMap<Resource, Wish>();

/** All of a resource: the same wish each time, so that what is asked over and over is named but once. */
export function wholeOf(resource: Resource): Wish {
  const known = WHOLES.get(resource);
  if (known !== undefined) return known;
  const whole = Object.freeze({ resource, parameters: {} });
  WHOLES.set(resource, whole);
  return whole;
}

/** Names what is fetched of the source with this code. How far it is to reach is no part of it. */
export function keyOf(code: string, { resource, parameters, native }: Wish): string {
  return `${code} ${resource.name} ${native ?? ''} ${JSON.stringify(parameters)}`;
}

/** Whether a copy has all that a wish names. */
export function reaches({ set }: Copy, { pushed }: Wish): boolean {
  return !set.goesOn || set.records.length >= (pushed?.front?.first ?? Infinity);
}

/** Whether it names some of the records only, by what a source may do with a filter. */
export function isFiltered({ parameters, pushed }: Wish): boolean {
  return pushed !== undefined && Object.keys(parameters).some((name) => name !== 'sort');
}
