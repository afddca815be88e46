import type { Further, Row } from '../model/record.js';
import { columnsOf, positionOf } from '../model/resource.js';
import type { Derived, Expectation, Property, Resource } from '../model/resource.js';
import type { Value } from '../model/value.js';
import { countryNames } from '../region/names.js';
import { fold } from '../text/fold.js';
import { checkValue } from './check-value.js';
import { FindingCounter } from './findings.js';
import type { Notes } from './findings.js';
import { FurtherNames, REPOSITORY_PROPERTY } from './further-names.js';
import { linker, readers, readFurther } from './read-value.js';
import type { Oddity, ReadingTime, ReadValue } from './read-value.js';

/** What the registration says about the records of one source (decisions.md, section 4). */
export interface Provenance {
  readonly sourceName: string;
  /** Number of the source, the last three digits of its integer ids. */
  readonly number: number;
  /** What relative links are made absolute against. */
  readonly site?: string;
  /** The codes whose `-<code>-…` properties it may send: its own and its prefixes. */
  readonly codes: readonly string[];
  /** The codes of the other sources, where a longer one wins: `-a-b-c` is of `a-b` when that is registered. */
  readonly otherCodes: readonly string[];
  /** A meta-directory: its records keep their source-name, and any `-<code>-…` property is its own. */
  readonly aggregate: boolean;
  /** Source-names of the other registered sources, which speak for themselves. */
  readonly otherNames: readonly string[];
  /** Further properties that registrations name: no source's records lose them, however many properties they have. */
  readonly properties?: readonly string[];
}

/** What a repository calls a team's membership (interfaces.md, section 2.1). */
const MEMBER_TYPE = /^-[a-z][a-z0-9-]*-member-type$/;
const UNSAFE: ReadonlySet<string> = new Set(['', '__proto__', 'constructor', 'prototype']);

/** Characters of a property's name: a longer one is text that somebody wrote where names belong. */
const LONGEST_NAME = 200;

/** Integer ids leave room for the numbers of 999 sources (decisions.md, section 4, "Ids"). */
export const ID_FACTOR = 1_000;

/** Names of properties that are remembered: a hostile source sends others in every record. */
const MOST_KNOWN = 1_000;

/** Field and rule. */
type Finding = Parameters<Notes['add']>;

/** How one property is read. */
interface Field {
  /** Among the values; absent for what is written among the further properties. */
  readonly position?: number;
  readonly read: ReadValue;
  readonly odd: Oddity;
}

/** Builds records property by property in a fixed shape; of parsed input nothing is kept but its scalars. */
export class RecordReader {
  /** By name: those of the table, and every further one that was met, for a source sends the same few again and again. */
  private readonly fields = new Map<string, Field>();
  private readonly blank: readonly undefined[];
  private readonly sourceName: number;
  private readonly names: readonly number[];
  private readonly id: number;
  private readonly urls: readonly number[];
  private readonly derived: readonly { readonly to: number; readonly from: number; readonly how: Derived['how'] }[];
  private readonly otherNames: ReadonlySet<string>;
  private readonly link: ReturnType<typeof linker>;
  private readonly kept: FurtherNames;
  /** Told of what is odd about the record being read. */
  private notes: Notes = new FindingCounter();

  constructor(
    readonly resource: Resource,
    readonly provenance: Provenance,
  ) {
    const at = (name: string): number => positionOf(resource, name);
    const trailing = resource.trailing === undefined ? [] : [resource.trailing];
    for (const property of [...resource.properties, ...trailing]) {
      const { name } = property;
      this.fields.set(name, { position: at(name), read: readerOf(property), odd: this.oddity(name) });
    }
    for (const property of resource.extra) {
      this.fields.set(property.name, { read: readerOf(property), odd: this.oddity(property.name) });
    }
    for (const name of resource.detail ?? []) this.fields.set(name, { read: () => undefined, odd: this.oddity(name) });
    this.blank = columnsOf(resource).map(() => undefined);
    this.sourceName = at(resource.sourceName);
    this.names = resource.names.map(at);
    this.id = resource.id === 'integer' ? at('id') : -1;
    this.urls = resource.properties.filter(({ kind }) => kind === 'url').map(({ name }) => at(name));
    this.derived = resource.derived.map(({ name, from, how }) => ({ to: at(name), from: at(from), how }));
    this.link = linker(provenance.site);
    this.kept = new FurtherNames(resource, provenance.properties);
    this.otherNames = new Set(provenance.aggregate ? provenance.otherNames.map(visible) : []);
  }

  private oddity(name: string): Oddity {
    return (rule) => this.notes.add(name, rule);
  }

  /** One record, or undefined where it is none: no object, no name, no id that can be told apart, or another source's. */
  read(raw: unknown, notes: Notes, now: ReadingTime): Row | undefined {
    this.notes = notes;
    const row = isObject(raw) ? this.build(raw, now) : undefined;
    const fault = this.fault(row);
    if (fault === undefined) return row;
    notes.add(...fault);
    return undefined;
  }

  private fault(row: Row | undefined): Finding | undefined {
    if (row === undefined) return ['(record)', 'not-a-record'];
    if (this.names.every((position) => row.values[position] === undefined)) return ['(record)', 'no-name'];
    if (this.id >= 0 && row.values[this.id] === undefined) return ['(record)', 'no-id'];
    if (this.id >= 0 && !Number.isSafeInteger(row.values[this.id])) return ['(record)', 'id-range'];
    return this.repeats(row) ? [this.resource.sourceName, 'registered-source'] : undefined;
  }

  private build(raw: Raw, now: ReadingTime): Row {
    const values: (Value | undefined)[] = this.blank.slice();
    const further: Further[] = [];
    // What JSON.parse gives has no properties but its own.
    for (const name in raw) {
      const { position, read, odd } = this.fields.get(name) ?? this.furtherField(name);
      const value = read(raw[name], odd, now);
      if (position !== undefined) values[position] = value;
      else if (value !== undefined) further.push([name, value]);
    }
    this.complete(values);
    const kept = this.kept.ofRecord(further);
    if (kept.length < further.length) this.notes.add('(record)', 'too-many-properties');
    return { values, further: kept };
  }

  /** What is not read but made: the source-name, the qualified id, absolute links and what is derived from the values as they came. */
  private complete(values: (Value | undefined)[]): void {
    const sent = this.provenance.aggregate ? values[this.sourceName] : undefined;
    values[this.sourceName] = sent ?? this.provenance.sourceName;
    for (const { to, from, how } of this.derived)
      values[to] = how === 'as-written' ? values[from] : namesOf(values[from]);
    for (const position of this.urls) values[position] = this.link(values[position]);
    const native = values[this.id];
    if (native !== undefined) values[this.id] = Number(native) * ID_FACTOR + this.provenance.number;
  }

  private furtherField(name: string): Field {
    const refused = this.refusal(name);
    const known = MEMBER_TYPE.test(name) ? checked(readFurther, 'member-type') : readFurther;
    const read = refused === undefined ? known : this.refuse(refused);
    const field = { read, odd: this.oddity(name) };
    if (this.fields.size < MOST_KNOWN) this.fields.set(name, field);
    return field;
  }

  private refuse(refused: Finding): ReadValue {
    return () => {
      this.notes.add(...refused);
      return undefined;
    };
  }

  private refusal(name: string): Finding | undefined {
    if (UNSAFE.has(name) || name.length > LONGEST_NAME) return ['(unsafe)', 'unsafe-name'];
    return this.owns(name) ? undefined : [name, 'foreign-property'];
  }

  private owns(name: string): boolean {
    const { aggregate, codes, otherCodes } = this.provenance;
    if (aggregate || !REPOSITORY_PROPERTY.test(name)) return true;
    const own = longestPrefix(name, codes);
    return own > 0 && own >= longestPrefix(name, otherCodes);
  }

  /** An aggregate's record of a source that is registered itself, and speaks for itself. */
  private repeats({ values }: Row): boolean {
    const { aggregate, sourceName } = this.provenance;
    const name = values[this.sourceName];
    return aggregate && name !== sourceName && this.otherNames.has(visible(String(name)));
  }
}

/** How a property is read: by its kind, and what it is expected to be is checked then. */
function readerOf({ kind, expects }: Property): ReadValue {
  return expects === undefined ? readers[kind] : checked(readers[kind], expects);
}

function checked(read: ReadValue, expects: Expectation): ReadValue {
  return (raw, odd, now) => {
    const value = read(raw, odd, now);
    if (value !== undefined) checkValue(value, expects, odd);
    return value;
  };
}

/** An object of JSON. */
type Raw = Readonly<Record<string, unknown>>;

function isObject(raw: unknown): raw is Raw {
  return typeof raw === 'object' && raw !== null && !Array.isArray(raw);
}

/** A source-name as a reader sees it: what differs only by characters that cannot be seen is the same name. */
function visible(name: string): string {
  return fold(name).replace(/\p{C}/gu, '').trim();
}

function namesOf(country: Value | undefined): Value | undefined {
  const names = countryNames(String(country));
  return names.length === 0 ? undefined : names;
}

function longestPrefix(name: string, codes: readonly string[]): number {
  return codes.reduce((longest, code) => (name.startsWith(`-${code}-`) ? Math.max(longest, code.length) : longest), 0);
}
