import type { TeamInput } from '../../../support/unit/team-record-set.js';

/** A record with its repository. */
export interface NaiveRecord {
  readonly repository: number;
  readonly record: TeamInput;
}

const fold = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll('ø', 'o')
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
    .join(' ');
const GENERIC = ['cert', 'csirt', 'security team'];

function textOf(record: TeamInput, name: string): string | undefined {
  const value = record[name];
  return value === undefined ? undefined : String(Array.isArray(value) ? value[0] : value);
}

function lower(record: TeamInput, name: string): string | undefined {
  return textOf(record, name)?.toLowerCase();
}

function domains(record: TeamInput): readonly string[] {
  const hosts = [lower(record, 'email')?.split('@')[1], lower(record, 'website')?.split('/')[2]];
  return hosts
    .flatMap((host) => (host === undefined ? [] : [host.split('.').slice(-2).join('.')]))
    .filter((domain) => !domain.endsWith('.example'));
}

const NAMES = ['short-team-name', 'official-team-name'];

function country(record: TeamInput): string | undefined {
  const code = textOf(record, 'country-code');
  return code === 'UK' ? 'GB' : code;
}

function countriesDiffer(a: TeamInput, b: TeamInput): boolean {
  return country(a) !== undefined && country(b) !== undefined && country(a) !== country(b);
}

/** Names of the same kind of two records, folded. */
function namePairs(a: TeamInput, b: TeamInput): readonly (readonly [string, string])[] {
  return NAMES.flatMap((name) => {
    const [one, other] = [textOf(a, name), textOf(b, name)];
    return one === undefined || other === undefined ? [] : [[fold(one), fold(other)] as const];
  });
}

/** Whether the names of two records in one country, or in a country that one of them does not state, confirm a shared fact. */
function isConfirmed(a: TeamInput, b: TeamInput): boolean {
  const specific = namePairs(a, b).filter((pair) => !pair.some((name) => GENERIC.includes(name)));
  if (countriesDiffer(a, b)) return false;
  if (country(a) === undefined || country(b) === undefined)
    return (
      namePairs(a, b).length === 2 &&
      specific.some(([one, other]) => one === other) &&
      namePairs(a, b).every(([one, other]) => one === other)
    );
  return specific.some((pair) => {
    const [shorter = '', longer = ''] = [...pair].sort((one, other) => one.length - other.length);
    return [shorter, `${shorter} cert`, `${shorter} csirt`].includes(longer);
  });
}

function areNamesakes(a: TeamInput, b: TeamInput): boolean {
  const pairs = namePairs(a, b);
  const equal = pairs.every(([one, other]) => one === other);
  const isSpecific = pairs.some(([one]) => !GENERIC.includes(one));
  const isSameCountry = country(a) !== undefined && country(a) === country(b);
  return (
    equal &&
    isSpecific &&
    (isSameCountry || (pairs.length === 2 && !countriesDiffer(a, b))) &&
    domains(a).some((domain) => domains(b).includes(domain))
  );
}

/** The kinds of the reasons for which a link leads from one record to another, by definition (decisions 2.38). */
export function naiveReasons(from: NaiveRecord, to: NaiveRecord, all: readonly NaiveRecord[]): readonly string[] {
  if (from.repository === to.repository) return [];
  /** Whether the record is the only one of its repository that meets the condition. */
  const isSole = (meets: (record: TeamInput) => boolean): boolean =>
    meets(to.record) && all.every((one) => one === to || one.repository !== to.repository || !meets(one.record));
  const byFact = (name: string): boolean =>
    lower(from.record, name) !== undefined &&
    isSole((record) => lower(record, name) === lower(from.record, name) && isConfirmed(from.record, record));
  return [
    ...(byFact('enckeys') ? ['key'] : []),
    ...(byFact('email') ? ['e-mail'] : []),
    ...(isSole((record) => areNamesakes(from.record, record)) ? ['domain-and-name'] : []),
  ];
}
