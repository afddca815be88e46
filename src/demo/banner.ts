import type { SampleAddresses } from './start-sample-repositories.js';

/** Absolute base URLs, without a slash at the end. */
interface BannerOptions {
  readonly directory: string;
  readonly data: string;
  readonly admin: string;
  readonly samples: ReadonlyMap<string, SampleAddresses>;
}

/** Description, interface, path with query. */
const exampleQueries = [
  [
    'One search, four repositories, three spellings of one town:',
    'directory',
    'teams?q=thorsvik&fields=short-team-name,official-team-name,source-name',
  ],
  [
    'What changed last in northern Europe, in an envelope with the true total:',
    'directory',
    'teams?region=Northern%20Europe&sort=-last-modified&fields=short-team-name,source-name,last-modified&limit=4&envelope=true',
  ],
  [
    'The oldest teams of a list that cannot sort, and writes its dates in four ways:',
    'directory',
    'teams?source-name=The%20Attic%20List%20(sample)&sort=establishment&fields=short-team-name,establishment&limit=5',
  ],
  [
    'The latest news of a channel that two repositories have:',
    'data',
    'news?channel=newsletters&fields=title,published,source-name&limit=4',
  ],
] as const;

/** Printed when the demo is ready: its addresses, and queries that can be pasted into a shell (operation 1.11). */
export function banner({ samples, admin, ...bases }: BannerOptions): string {
  const rows = [
    ['Rollcall', `${bases.directory}/teams`],
    ['', `${bases.data}/teams`],
    ['admin', `${admin}/readyz`],
    ...[...samples].flatMap(([name, addresses]) => rowsOf(name, addresses)),
  ] as const;
  const width = Math.max(...rows.map(([name]) => name.length));
  const addresses = rows.map(([name, address]) => `  ${name.padEnd(width)}  ${address}`);
  const examples = exampleQueries.flatMap(([description, interfaceName, query]) => [
    '',
    description,
    `  curl -s '${bases[interfaceName]}/${query}'`,
  ]);
  const greeting = 'One address over these sample repositories of fictitious teams and their news:';
  return [greeting, '', ...addresses, ...examples, ''].join('\n');
}

/** For each interface, document and feed; only the first row has the name. */
function rowsOf(
  name: string,
  { directory, data, document, feeds = [] }: SampleAddresses,
): readonly (readonly [name: string, address: string])[] {
  const lists = [directory, data].flatMap((base) => (base === undefined ? [] : `${base}/teams`));
  const addresses = [...lists, ...(document === undefined ? [] : [document]), ...feeds];
  return addresses.map((address, at) => [at === 0 ? name : '', address]);
}
