import fc from 'fast-check';
import type { RawRecord } from '../../support/upstream/paged-responses.js';
import { SECOND, choosePropertyForm, path } from './document-property-forms.js';
import type { OracleDocument, PropertyExpressions } from '../model/document.js';
import { mapDocument } from '../model/document.js';
import type { DocumentExpression } from '../model/document-expression.js';
import { SHARED_PROPERTIES } from '../model/translate-teams.js';
import { EMPTY, dataTeam, directoryTeam, newsItem, numbered, teams } from '../random-raw-records.js';

/** A generated document: its entries, its registration, and how its server divides it into pages. */
export interface GeneratedDocument extends OracleDocument {
  readonly pages: 'linked' | 'counted' | undefined;
  /** `sections`: the entries are in two lists of one document. */
  readonly wrapping: 'bare' | 'object' | 'sections';
  readonly secondPages: 'linked' | 'counted' | undefined;
}

/** What `only` may be, over the `status` of an entry: active, retired or absent. It cannot be evaluated where `upper` gets nothing. */
const CONDITIONS: readonly DocumentExpression[] = [
  { kind: 'unequal', of: path('status'), other: { kind: 'text', text: 'retired' } },
  { kind: 'equal', of: { kind: 'upper', of: path('status') }, other: { kind: 'text', text: 'ACTIVE' } },
  { kind: 'not', of: path('hidden') },
  path('status'),
];

const STATUSES = ['active', 'retired', undefined, 'active'];

/** What the generator decides, beside the records. */
const decisions = fc.record({
  forms: fc.array(fc.nat(), { minLength: 30, maxLength: 30 }),
  statuses: fc.array(fc.constantFrom(...STATUSES), { minLength: 40, maxLength: 40 }),
  hasIdentity: fc.boolean(),
  hasSecond: fc.boolean(),
  usesDirectoryNames: fc.boolean(),
  defaults: fc.subarray(['country-code', 'host', 'operating-hours', 'email']),
  only: fc.option(fc.constantFrom(...CONDITIONS), { nil: undefined }),
  pages: fc.constantFrom('linked' as const, 'counted' as const, undefined),
  wrapping: fc.constantFrom('bare' as const, 'object' as const, 'sections' as const),
  secondPages: fc.constantFrom('linked' as const, 'counted' as const, undefined),
});

type Decisions = typeof decisions extends fc.Arbitrary<infer T> ? T : never;

const DEFAULTS: Readonly<Record<string, string>> = {
  'country-code': 'pt',
  host: 'Example Org',
  'operating-hours': '24/7',
  email: 'none@example.org',
};

/** Properties that no document may map: unregistered ones, those that Rollcall writes itself, and those of other sources. */
const UNMAPPED = ['note', 'source-name', 'id', 'timezone'];

/** A document of teams of either interface, or of news. */
export function randomDocument(code: string): fc.Arbitrary<GeneratedDocument> {
  const directory = teams(directoryTeam(code), ['short-team-name', 'official-team-name']);
  const data = teams(dataTeam(code), ['team', 'team-full']);
  const news = fc.array(newsItem([]), { maxLength: 30, size: 'max' }).map((items) => numbered(items));
  return fc.oneof(
    { weight: 3, arbitrary: fc.tuple(directory, decisions).map((made) => teamDocument(code, 'directory', made)) },
    { weight: 3, arbitrary: fc.tuple(data, decisions).map((made) => teamDocument(code, 'teams', made)) },
    { weight: 1, arbitrary: fc.tuple(news, decisions).map(([items, made]) => newsDocument(items, made)) },
  );
}

function teamDocument(
  code: string,
  resource: 'directory' | 'teams',
  [records, made]: readonly [readonly RawRecord[], Decisions],
): GeneratedDocument {
  const full = resource === 'directory' ? 'official-team-name' : 'team-full';
  // Full name and e-mail address make every team a different one, also where one of the two is no longer read.
  const known = new Map<RawRecord, number>();
  const named = records.map((record) => {
    const at = known.get(record) ?? known.size;
    known.set(record, at);
    return isNameless(record) ? record : { email: `t${at}@example.org`, ...record, [full]: `Official ${at}` };
  });
  const isMapped = (name: string): boolean =>
    (!UNMAPPED.includes(name) || (name === 'timezone' && resource === 'teams')) &&
    (!name.startsWith('-') || name.startsWith(`-${code}-`));
  const properties = [...new Set([full, ...named.flatMap(Object.keys)])].filter(isMapped);
  const document = buildDocument(resource, { records: named, properties, distinct: [full, 'email'] }, made);
  const withIdentity = made.hasIdentity ? { ...document, identity: path('uuid') } : document;
  return isReadable(withIdentity) ? withIdentity : { ...withIdentity, entries: withoutNameless(withIdentity, named) };
}

function newsDocument(items: readonly RawRecord[], made: Decisions): GeneratedDocument {
  const properties = ['id', 'title', 'summary', 'link', 'published', 'content', 'rank'];
  const records = items.map((item, at) =>
    EMPTY.includes(JSON.stringify(item['title'])) ? { ...item, title: `Item ${at}` } : item,
  );
  return buildDocument('news', { records, properties, distinct: ['id', 'title'] }, { ...made, defaults: [] });
}

interface MappedRecords {
  readonly records: readonly RawRecord[];
  readonly properties: readonly string[];
  /** Properties that must stay different for different records. */
  readonly distinct: readonly string[];
}

function buildDocument(
  resource: OracleDocument['resource'],
  { records, properties, distinct }: MappedRecords,
  made: Decisions,
): GeneratedDocument {
  const { pages, secondPages, only } = made;
  const forms = properties.map((property, at) =>
    choosePropertyForm(property, made.forms[at % made.forms.length] ?? 0, { distinct, hasSecond: made.hasSecond }),
  );
  const second: RawRecord[] = [];
  const texts = records.map((record) => JSON.stringify(record));
  const entries = records.map((record, row) => {
    const variant = texts.indexOf(JSON.stringify(record));
    const target = { row, variant, entry: { row } as Record<string, unknown>, second };
    properties.forEach((property, at) => {
      if (property in record) forms[at]?.place(target, foreignName(property), record[property]);
    });
    return { ...target.entry, ...statusOf(variant, made), uuid: identityOf(row) };
  });
  const map: PropertyExpressions = properties.map((property, at) => [
    made.usesDirectoryNames && resource === 'teams' ? directoryName(property) : property,
    forms[at]?.expression(foreignName(property)) ?? path(foreignName(property)),
  ]);
  const defaults = made.defaults.map(
    (property) => [nameFor(resource, property, map), DEFAULTS[property] ?? ''] as const,
  );
  return {
    resource,
    entries,
    map,
    defaults,
    only,
    pages,
    secondPages,
    wrapping: pages === 'linked' ? 'object' : made.wrapping,
    second: made.hasSecond
      ? {
          entries: [...second, { line: -1 }, { owner: 'nobody', line: -2 }],
          on: [path('row'), path('owner')],
          as: SECOND,
        }
      : undefined,
  };
}

/** Identity of the entry in a row: a text, a number, the same for two entries, or none. */
function identityOf(row: number): unknown {
  return [`u-${row}`, row, ' ', undefined, 'shared', ` v-${row} `, [`w-${row}`, 'other'], { id: 1 }][row % 8];
}

function statusOf(row: number, { statuses }: Decisions): object {
  const status = statuses[row % statuses.length];
  return { ...(status !== undefined && { status }), hidden: status === 'retired' };
}

/** The name of a property in the entries. */
export function foreignName(property: string): string {
  return property.replace(/^-/, '').replaceAll('-', '_');
}

/** The name of the directory interface, except of one property, which shows that the others are of the data interface too. */
function directoryName(property: string): string {
  if (property === 'team-full') return property;
  return SHARED_PROPERTIES.find(([, data]) => data === property)?.[0] ?? property;
}

/** The name of a directory property in the registration of a document: that of its expression, where there is one. */
function nameFor(resource: OracleDocument['resource'], property: string, map: PropertyExpressions): string {
  const data = SHARED_PROPERTIES.find(([directory]) => directory === property)?.[1] ?? property;
  return resource === 'teams' && map.some(([name]) => name === data) ? data : property;
}

/** Whether less than half of the records have no name; else the document has another shape (decisions 4.27.5). */
function isReadable(document: OracleDocument): boolean {
  const records = mapDocument(document);
  return records.filter(({ record }) => isNameless(record)).length * 2 < records.length || records.length === 0;
}

function isNameless(record: RawRecord): boolean {
  return !['short-team-name', 'official-team-name', 'team', 'team-full'].some((name) => name in record);
}

function withoutNameless({ entries }: OracleDocument, records: readonly RawRecord[]): readonly RawRecord[] {
  return entries.filter((_, row) => !isNameless(records[row] ?? {}));
}
