import fc from 'fast-check';
import type { TeamInput } from '../../../support/unit/team-record-set.js';

/** A record of a generated repository, and the team that it really describes. */
export interface ListedTeam {
  readonly identity: string;
  readonly record: TeamInput;
}

/** Generated repositories by code. */
export type KnownFleet = readonly (readonly ListedTeam[])[];

/** What a team really is. Repositories state it with omissions and changes. */
interface TrueTeam {
  readonly identity: string;
  readonly short: string;
  readonly official: string;
  readonly country: string;
  readonly domain: string;
  readonly email: string;
  readonly key: string;
}

const COUNTRIES = ['NO', 'GB', 'PT', 'JP'];
const ORGANISATIONS = ['Acorn', 'Birch', 'Cedar Øst', 'Dune'];
const KINDS = ['CERT', 'CSIRT'];

function fingerprint(text: string): string {
  const digits = Buffer.from(text).toString('hex');
  return `0x${digits.padEnd(40, 'A1').slice(0, 40)}`;
}

function team(identity: string, facts: Partial<TrueTeam>): TrueTeam {
  const domain = facts.domain ?? `${identity}.example`;
  const email = `cert@${identity}.${domain}`;
  const names = { short: `${identity} CERT`, official: `${identity} Emergency Response`, country: 'NO' };
  return { identity, domain, email, key: fingerprint(identity), ...names, ...facts };
}

/** Independent teams of different countries with the same names. */
const namesakes = fc
  .record({ name: fc.constantFrom(...ORGANISATIONS), kind: fc.constantFrom(...KINDS), count: fc.nat(3) })
  .map(({ name, kind, count }) =>
    COUNTRIES.slice(0, count + 1).map((country, at) =>
      team(`namesake${at}`, {
        short: `${name} ${kind}`,
        official: `${name} Response Team`,
        country,
        domain: `${at}.org`,
      }),
    ),
  );

/** Teams of one company in several countries, with one domain and perhaps one key and one mailbox. */
const subsidiaries = fc
  .record({
    sharesKey: fc.boolean(),
    sharesEmail: fc.boolean(),
    sharesName: fc.boolean(),
    count: fc.integer({ min: 1, max: 4 }),
  })
  .map(({ sharesKey, sharesEmail, sharesName, count }) =>
    COUNTRIES.slice(0, count).map((country) =>
      team(`company-${country}`, {
        short: sharesName ? 'Company CERT' : `Company ${country}`,
        official: `Company Response in ${country}`,
        country,
        domain: 'company.com',
        ...(sharesKey && { key: fingerprint('company') }),
        ...(sharesEmail && { email: 'security@company.com' }),
      }),
    ),
  );

/** Teams of one country at the domain of a ministry that hosts them, with one mailbox, one key and a name that says nothing. */
const hosted = fc
  .record({ count: fc.integer({ min: 2, max: 5 }), name: fc.constantFrom('CERT', 'Security Team') })
  .map(({ count, name }) =>
    Array.from({ length: count }, (_, at) =>
      team(`hosted${at}`, {
        short: name,
        official: `Department ${at}`,
        domain: 'ministry.org',
        email: 'helpdesk@ministry.org',
        key: fingerprint('ministry'),
      }),
    ),
  );

/** Teams that share nothing. */
const others = fc.nat(6).map((count) => Array.from({ length: count }, (_, at) => team(`other${at}`, {})));

/** How a repository states the facts of a team. */
interface Statement {
  readonly omitted: readonly string[];
  readonly upperCase: boolean;
  readonly renamed: boolean;
  readonly alias: boolean;
  /** Without the word for the kind of the team. */
  readonly shortened: boolean;
}

const statement: fc.Arbitrary<Statement> = fc.record({
  omitted: fc.subarray(['short-team-name', 'official-team-name', 'country-code', 'email', 'enckeys', 'website']),
  upperCase: fc.boolean(),
  renamed: fc.boolean(),
  alias: fc.boolean(),
  shortened: fc.boolean(),
});

function state(known: TrueTeam, { omitted, upperCase, renamed, alias, shortened }: Statement): ListedTeam {
  const convert = (text: string): string => (upperCase ? text.toUpperCase() : text);
  const record = {
    'short-team-name': convert(shortened ? known.short.replace(/ (?:CERT|CSIRT)$/, '') : known.short),
    'official-team-name': convert(renamed ? `${known.official} (formerly)` : known.official),
    'country-code': alias && known.country === 'GB' ? 'UK' : known.country,
    email: convert(known.email),
    enckeys: [upperCase ? `0x${known.key.slice(2).toUpperCase()}` : known.key],
    website: [`https://www.${known.domain}/${known.identity}`],
    'phone-numbers': [renamed ? '+47 1' : '+47 2'],
  };
  const stated = Object.entries(record).filter(([name]) => !omitted.includes(name));
  return { identity: known.identity, record: { ...Object.fromEntries(stated), slug: known.identity } };
}

/** Up to five repositories. Each lists any of the teams, so a fact that teams share may look unique in each of them. */
export const knownFleets: fc.Arbitrary<KnownFleet> = fc
  .tuple(namesakes, subsidiaries, hosted, others)
  .map((kinds) => kinds.flat())
  .chain((teams) =>
    fc.array(
      fc.array(fc.tuple(fc.boolean(), statement), { minLength: teams.length, maxLength: teams.length }).map((choices) =>
        teams.flatMap((known, at) => {
          const [isListed = false, how] = choices[at] ?? [];
          return isListed && how !== undefined ? [state(known, how)] : [];
        }),
      ),
      { minLength: 2, maxLength: 5 },
    ),
  );
