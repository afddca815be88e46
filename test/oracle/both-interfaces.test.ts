import fc from 'fast-check';
import { expect, it } from 'vitest';
import { boundShrinking, generatedRuns } from '../support/generated-runs.js';
import { randomSources } from './random-sources.js';
import type { GeneratedSource } from './random-sources.js';
import { LENIENT, withGateway, completeRecords } from './start-sources.js';
import type { OracleQuery, Scope } from './model/expected-list.js';
import { DATA_TEAMS } from './model/oracle-resources.js';
import { hasDataTeams } from './model/read-records.js';
import { parseDay } from './model/text.js';
import { SHARED_PROPERTIES } from './model/translate-teams.js';

type Team = Readonly<Record<string, unknown>>;

/** Each source has one interface only, so that Rollcall translates its teams to the other one. */
const singleInterface = randomSources.map((sources) =>
  sources.map((source): GeneratedSource => {
    const { directory, data } = source;
    const keep = directory !== undefined && (data === undefined || source.number % 2 === 0);
    return { ...source, aggregate: false, directory: keep ? directory : undefined, data: keep ? undefined : data };
  }),
);

it('returns the same facts of a team on both interfaces, whichever interface its source has', async () => {
  const property = fc.asyncProperty(singleInterface, (sources) =>
    withGateway(sources, async (gateway) => {
      const ask = async (target: string, scope: Scope = 'public'): Promise<readonly Team[]> => {
        const query: OracleQuery = { resource: DATA_TEAMS, scope, filters: [], sort: [] };
        return completeRecords(await gateway.get(target, LENIENT), { query, fleet: sources });
      };
      const directory = await ask('/directory/v1/teams?limit=10000');
      const data = await ask('/data/v1/teams?limit=10000&envelope=false');
      const keys = await ask('/data/v1/teams?limit=10000&envelope=false&scope=pgp', 'pgp');
      const keyed = new Map(keys.map((team) => [team['id'], team]));
      const onData = data.map((team) => dataFacts({ ...team, ...keyed.get(team['id']) }, sources));
      expect(onData.sort()).toEqual(directory.map((team) => directoryFacts(team, sources)).sort());
    }),
  );
  await fc.assert(boundShrinking(property), { numRuns: generatedRuns({ usual: 6, long: 32 }) });
});

function directoryFacts(team: Team, sources: readonly GeneratedSource[]): string {
  const { code } = sourceOf(team, sources);
  return factsOf({
    alike: SHARED_PROPERTIES.map(([name]) => team[name]),
    phones: textsOf(team['phone-numbers']),
    keys: textsOf(team['enckeys']),
    membership: team[`-${code}-member-type`],
    modified: team['last-modified'],
  });
}

function dataFacts(team: Team, sources: readonly GeneratedSource[]): string {
  const hasKeyPairs = hasDataTeams(sourceOf(team, sources));
  const [short, long] = [textsOf(team['pgp-id']), textsOf(team['pgp-fingerprint'])];
  const faxes = textsOf(team['fax']).map((fax) => (fax.endsWith('(fax)') ? fax : `${fax} (fax)`));
  return factsOf({
    alike: SHARED_PROPERTIES.map(([, name]) => team[name]),
    phones: [...textsOf(team['phone']), ...faxes, ...textsOf(team['phone-emergency'])],
    // If a source sends a fingerprint and a short id, the directory shows only the fingerprint.
    keys: !hasKeyPairs ? [...short, ...long] : long.some(isKey) ? long : short,
    membership: team['membership'],
    modified: team['last-modified'],
  });
}

interface Facts {
  readonly alike: readonly unknown[];
  readonly phones: readonly string[];
  readonly keys: readonly string[];
  readonly membership: unknown;
  readonly modified: unknown;
}

/** The facts in one normal form, independent of order and notation. */
function factsOf({ alike, phones, keys, membership, modified }: Facts): string {
  const numbers = phones.map((phone) => `${phone.replace(/\D/g, '') || phone}${phone.endsWith('(fax)') ? ' fax' : ''}`);
  const names = keys.flatMap((key) => key.split(',').filter(isKey)).map((key) => key.trim().replace(/^0x/, ''));
  const at = typeof modified === 'string' ? (parseDay(modified)?.at ?? modified) : modified;
  const sets = [numbers, names].map((texts) => [...new Set(texts)].sort());
  return JSON.stringify([...alike.map((value) => value ?? null), ...sets, membership ?? null, at ?? null]);
}

/** Whether a text is a key id or a fingerprint. Other texts cannot be compared across the interfaces. */
function isKey(text: string): boolean {
  return /[0-9A-F]{16}/.test(text) && !/["{]/.test(text);
}

function sourceOf(team: Team, sources: readonly GeneratedSource[]): GeneratedSource {
  const source = sources.find(({ sourceName }) => sourceName === team['source-name']);
  if (source === undefined) throw new Error(`a team of no source: ${JSON.stringify(team)}`);
  return source;
}

function textsOf(value: unknown): string[] {
  return value === undefined ? [] : [value].flat().map(String);
}
