import type { ExtraProperty, RecordRow } from '../../model/record.js';
import { listStoredProperties, findPropertyPosition } from '../../model/resource.js';
import type { DerivedProperty, ExpectedFormat, Property, Resource } from '../../model/resource.js';
import type { PropertyValue } from '../../model/property-value.js';
import { getCountryNames } from '../../region/country-names.js';
import { foldText } from '../../text/text-folding.js';
import { checkValue } from './check-value.js';
import { FindingCounter } from './findings.js';
import type { FindingSink } from './findings.js';
import { ExtraPropertyFilter, REPOSITORY_PROPERTY } from './extra-property-filter.js';
import { createLinkResolver, valueReaders, readExtraValue } from './read-value.js';
import type { ReportFinding, ReadingTime, ReadValue } from './read-value.js';

/** What the registration says about the records of one source (decisions.md, section 4). */
export interface Provenance {
  readonly sourceName: string;
  /** Number of the source, the last three digits of its integer ids. */
  readonly sourceNumber: number;
  /** What relative links are made absolute against. */
  readonly site?: string;
  /** The codes whose `-<code>-…` properties it may send: its own and its prefixes. */
  readonly codes: readonly string[];
  /** The codes of the other sources, where a longer one wins: `-a-b-c` is of `a-b` when that is registered. */
  readonly otherCodes: readonly string[];
  /** A meta-directory: its records keep their source-name, and any `-<code>-…` property is its own. */
  readonly isAggregate: boolean;
  /** Source-names of the other registered sources, which speak for themselves. */
  readonly otherSourceNames: readonly string[];
  /** Further properties that registrations name: no source's records lose them, however many properties they have. */
  readonly registeredProperties?: readonly string[];
}

/** What a repository calls a team's membership (interfaces.md, section 2.1). */
const MEMBER_TYPE = /^-[a-z][a-z0-9-]*-member-type$/;
const UNSAFE_NAMES: ReadonlySet<string> = new Set(['', '__proto__', 'constructor', 'prototype']);

/** Characters of a property's name: a longer one is text that somebody wrote where names belong. */
const MAX_NAME_LENGTH = 200;

/** Integer ids leave room for the numbers of 999 sources (decisions.md, section 4, "Ids"). */
export const ID_FACTOR = 1_000;

/** Names of properties that are remembered: a hostile source sends others in every record. */
const MAX_CACHED_FIELDS = 1_000;

/** Field and rule. */
type RecordFinding = Parameters<FindingSink['add']>;

/** How one property is read. */
interface PropertyReader {
  /** Among the values; absent for what is written among the further properties. */
  readonly position?: number;
  readonly read: ReadValue;
  readonly report: ReportFinding;
}

/** Builds records property by property in a fixed shape; of parsed input nothing is kept but its scalars. */
export class RecordReader {
  /** By name: those of the table, and every further one that was met, for a source sends the same few again and again. */
  private readonly fields = new Map<string, PropertyReader>();
  private readonly emptyValues: readonly undefined[];
  private readonly sourceNamePosition: number;
  private readonly namePositions: readonly number[];
  private readonly idPosition: number;
  private readonly urlPositions: readonly number[];
  private readonly derivations: readonly {
    readonly to: number;
    readonly from: number;
    readonly how: DerivedProperty['derivation'];
  }[];
  private readonly otherSourceNames: ReadonlySet<string>;
  private readonly resolveLink: ReturnType<typeof createLinkResolver>;
  private readonly extraPropertyFilter: ExtraPropertyFilter;
  /** Told of what is odd about the record being read. */
  private findings: FindingSink = new FindingCounter();

  constructor(
    readonly resource: Resource,
    readonly provenance: Provenance,
  ) {
    const at = (name: string): number => findPropertyPosition(resource, name);
    const trailing = resource.trailingProperty === undefined ? [] : [resource.trailingProperty];
    for (const property of [...resource.properties, ...trailing]) {
      const { name } = property;
      this.fields.set(name, {
        position: at(name),
        read: createValueReader(property),
        report: this.createReporter(name),
      });
    }
    for (const property of resource.knownExtraProperties) {
      this.fields.set(property.name, { read: createValueReader(property), report: this.createReporter(property.name) });
    }
    for (const name of resource.detailProperties ?? [])
      this.fields.set(name, { read: () => undefined, report: this.createReporter(name) });
    this.emptyValues = listStoredProperties(resource).map(() => undefined);
    this.sourceNamePosition = at(resource.sourceNameProperty);
    this.namePositions = resource.nameProperties.map(at);
    this.idPosition = resource.idKind === 'integer' ? at('id') : -1;
    this.urlPositions = resource.properties.filter(({ kind }) => kind === 'url').map(({ name }) => at(name));
    this.derivations = resource.derivedProperties.map(({ name, from, derivation: how }) => ({
      to: at(name),
      from: at(from),
      how,
    }));
    this.resolveLink = createLinkResolver(provenance.site);
    this.extraPropertyFilter = new ExtraPropertyFilter(resource, provenance.registeredProperties);
    this.otherSourceNames = new Set(provenance.isAggregate ? provenance.otherSourceNames.map(visibleText) : []);
  }

  private createReporter(name: string): ReportFinding {
    return (rule) => this.findings.add(name, rule);
  }

  /** One record, or undefined where it is none: no object, no name, no id that can be told apart, or another source's. */
  read(raw: unknown, notes: FindingSink, now: ReadingTime): RecordRow | undefined {
    this.findings = notes;
    const row = isObject(raw) ? this.build(raw, now) : undefined;
    const fault = this.findFault(row);
    if (fault === undefined) return row;
    notes.add(...fault);
    return undefined;
  }

  private findFault(row: RecordRow | undefined): RecordFinding | undefined {
    if (row === undefined) return ['(record)', 'not-a-record'];
    if (this.namePositions.every((position) => row.values[position] === undefined)) return ['(record)', 'no-name'];
    if (this.idPosition >= 0 && row.values[this.idPosition] === undefined) return ['(record)', 'no-id'];
    if (this.idPosition >= 0 && !Number.isSafeInteger(row.values[this.idPosition])) return ['(record)', 'id-range'];
    return this.isOfRegisteredSource(row) ? [this.resource.sourceNameProperty, 'registered-source'] : undefined;
  }

  private build(raw: JsonObject, now: ReadingTime): RecordRow {
    const values: (PropertyValue | undefined)[] = this.emptyValues.slice();
    const further: ExtraProperty[] = [];
    // What JSON.parse gives has no properties but its own.
    for (const name in raw) {
      const { position, read, report: odd } = this.fields.get(name) ?? this.createExtraField(name);
      const value = read(raw[name], odd, now);
      if (position !== undefined) values[position] = value;
      else if (value !== undefined) further.push([name, value]);
    }
    this.completeValues(values);
    const kept = this.extraPropertyFilter.filterRecord(further);
    if (kept.length < further.length) this.findings.add('(record)', 'too-many-properties');
    return { values, extraProperties: kept };
  }

  /** What is not read but made: the source-name, the qualified id, absolute links and what is derived from the values as they came. */
  private completeValues(values: (PropertyValue | undefined)[]): void {
    const sent = this.provenance.isAggregate ? values[this.sourceNamePosition] : undefined;
    values[this.sourceNamePosition] = sent ?? this.provenance.sourceName;
    for (const { to, from, how } of this.derivations)
      values[to] = how === 'as-written' ? values[from] : countryNamesOf(values[from]);
    for (const position of this.urlPositions) values[position] = this.resolveLink(values[position]);
    const native = values[this.idPosition];
    if (native !== undefined) values[this.idPosition] = Number(native) * ID_FACTOR + this.provenance.sourceNumber;
  }

  private createExtraField(name: string): PropertyReader {
    const refused = this.findNameFault(name);
    const known = MEMBER_TYPE.test(name) ? withCheck(readExtraValue, 'member-type') : readExtraValue;
    const read = refused === undefined ? known : this.createRejectingReader(refused);
    const field = { read, report: this.createReporter(name) };
    if (this.fields.size < MAX_CACHED_FIELDS) this.fields.set(name, field);
    return field;
  }

  private createRejectingReader(refused: RecordFinding): ReadValue {
    return () => {
      this.findings.add(...refused);
      return undefined;
    };
  }

  private findNameFault(name: string): RecordFinding | undefined {
    if (UNSAFE_NAMES.has(name) || name.length > MAX_NAME_LENGTH) return ['(unsafe)', 'unsafe-name'];
    return this.isAllowedProperty(name) ? undefined : [name, 'foreign-property'];
  }

  private isAllowedProperty(name: string): boolean {
    const { isAggregate: aggregate, codes, otherCodes } = this.provenance;
    if (aggregate || !REPOSITORY_PROPERTY.test(name)) return true;
    const own = longestPrefix(name, codes);
    return own > 0 && own >= longestPrefix(name, otherCodes);
  }

  /** An aggregate's record of a source that is registered itself, and speaks for itself. */
  private isOfRegisteredSource({ values }: RecordRow): boolean {
    const { isAggregate: aggregate, sourceName } = this.provenance;
    const name = values[this.sourceNamePosition];
    return aggregate && name !== sourceName && this.otherSourceNames.has(visibleText(String(name)));
  }
}

/** How a property is read: by its kind, and what it is expected to be is checked then. */
function createValueReader({ kind, expectedFormat: expects }: Property): ReadValue {
  return expects === undefined ? valueReaders[kind] : withCheck(valueReaders[kind], expects);
}

function withCheck(read: ReadValue, expects: ExpectedFormat): ReadValue {
  return (raw, odd, now) => {
    const value = read(raw, odd, now);
    if (value !== undefined) checkValue(value, expects, odd);
    return value;
  };
}

/** An object of JSON. */
type JsonObject = Readonly<Record<string, unknown>>;

function isObject(raw: unknown): raw is JsonObject {
  return typeof raw === 'object' && raw !== null && !Array.isArray(raw);
}

/** A source-name as a reader sees it: what differs only by characters that cannot be seen is the same name. */
function visibleText(name: string): string {
  return foldText(name).replace(/\p{C}/gu, '').trim();
}

function countryNamesOf(country: PropertyValue | undefined): PropertyValue | undefined {
  const names = getCountryNames(String(country));
  return names.length === 0 ? undefined : names;
}

function longestPrefix(name: string, codes: readonly string[]): number {
  return codes.reduce((longest, code) => (name.startsWith(`-${code}-`) ? Math.max(longest, code.length) : longest), 0);
}
