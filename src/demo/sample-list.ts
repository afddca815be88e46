import { systemClock } from '../model/clock.js';
import type { Query } from '../model/query.js';
import type { Resource } from '../model/resource.js';
import { defaultScopeAccess } from '../model/resources/team-scopes.js';
import { parseQuery } from '../query/parse-query.js';
import type { QueryRules } from '../query/parse-query.js';
import { RecordPacker } from '../records/packed-records.js';
import { queryRecordSet } from '../records/query-record-set.js';
import { RecordSet } from '../records/record-set.js';
import { FindingCounter } from '../source/record/findings.js';
import { readingTime } from '../source/record/read-value.js';
import { RecordReader } from '../source/record/record-reader.js';
import { foldText } from '../text/text-folding.js';
import type { SampleRecord } from './json-response.js';

interface SampleListOptions {
  /** Records on a page, whatever `limit` is. */
  readonly maxPageSize: number;
  /** If the query has no `envelope` parameter. */
  readonly envelope: boolean;
  /** The path is that of a single record. */
  readonly item?: boolean;
}

type ListQuery = { readonly query: Query } | { readonly status: 400 | 401; readonly message: string };

/** The records of a sample, as its file has them, and queries to them as Rollcall itself reads and evaluates them. */
export class SampleList {
  private readonly set: RecordSet;
  private readonly rules: QueryRules;

  constructor(
    readonly resource: Resource,
    private readonly records: readonly SampleRecord[],
    { maxPageSize, envelope, item = false }: SampleListOptions,
  ) {
    const names = [...new Set(records.flatMap((record) => Object.keys(record)))];
    const properties = names.filter((name) => /^[a-z]/.test(name));
    const provenance = { sourceName: '', sourceNumber: 0, codes: [], registeredCodes: [], otherSourceNames: [] };
    const reader = new RecordReader(resource, { ...provenance, isAggregate: true, registeredProperties: properties });
    const packer = new RecordPacker(resource);
    for (const record of records) {
      const row = reader.read(record, new FindingCounter(), readingTime(systemClock.now()));
      if (row === undefined) throw new Error(`a record of ${resource.name} is none: ${JSON.stringify(record)}`);
      packer.add(row);
    }
    this.set = new RecordSet(resource, { sourceNumber: 0 }, packer.records);
    this.rules = {
      vocabulary: { resource, sourceNames: [], codes: [], properties, aggregate: true },
      limit: { default: maxPageSize, max: maxPageSize },
      envelope,
      scopeAccess: defaultScopeAccess,
      item,
    };
  }

  parse(search: string): ListQuery {
    const parsed = parseQuery(search, this.rules, 'public');
    if ('query' in parsed) return parsed;
    if ('refusedScope' in parsed) return { status: 401, message: `${parsed.refusedScope} needs members access` };
    const [{ parameter, message }] = parsed.errors;
    return { status: 400, message: `${parameter} ${message}` };
  }

  /** All that match, in order. */
  async select({ predicates, order, channel }: Query): Promise<readonly SampleRecord[]> {
    const { positions } = await queryRecordSet(this.set, { predicates, order });
    const matched = Array.from(positions, ({ index }) => this.records[index] ?? {});
    if (channel === undefined) return matched;
    return matched.filter(({ channels }) => [channels].flat().some((title) => foldText(String(title)) === channel));
  }
}

export function selectFields(record: SampleRecord, { fields }: Query): SampleRecord {
  return fields === undefined ? record : pickProperties(record, (name) => fields.includes(name));
}

export function pickProperties(record: SampleRecord, isShown: (name: string) => boolean): SampleRecord {
  return Object.fromEntries(Object.entries(record).filter(([name]) => isShown(name)));
}
