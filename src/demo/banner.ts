/** The addresses that the banner names. */
export interface BannerOptions {
  /** Absolute base URL of Rollcall's directory interface, without a slash at the end. */
  readonly directory: string;
  /** Absolute base URL of the admin server, without a slash at the end. */
  readonly admin: string;
  /** Base URL of each sample repository's directory interface, by its name. */
  readonly samples: ReadonlyMap<string, string>;
}

/** What the demo offers to try: what it shows, and the query that shows it. */
const queries = [
  [
    'One search, three repositories, and each spells the town in its own way:',
    'q=thorsvik&fields=short-team-name,official-team-name,source-name',
  ],
  [
    'What changed last in northern Europe, in an envelope with the true total:',
    'region=Northern%20Europe&sort=-last-modified&fields=short-team-name,source-name,last-modified&limit=4&envelope=true',
  ],
  [
    'The oldest teams of a list that cannot sort, and writes its dates in four ways:',
    'source-name=The%20Attic%20List%20(sample)&sort=establishment&fields=short-team-name,establishment&limit=5',
  ],
] as const;

/** The text that greets whoever starts the demo: its addresses, and queries that can be pasted into a shell. */
export function banner({ directory, admin, samples }: BannerOptions): string {
  const rows = [['Rollcall', `${directory}/teams`], ['admin', `${admin}/readyz`], ...samples] as const;
  const width = Math.max(...rows.map(([name]) => name.length));
  const addresses = rows.map(([name, address]) => `  ${name.padEnd(width)}  ${address}`);
  const tries = queries.flatMap(([shows, query]) => ['', shows, `  curl -s '${directory}/teams?${query}'`]);
  return ['One directory over these sample repositories of fictitious teams:', '', ...addresses, ...tries, ''].join(
    '\n',
  );
}
