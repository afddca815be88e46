/** Absolute base URLs, without a slash at the end. */
interface BannerOptions {
  readonly page: string;
  readonly directory: string;
  readonly data: string;
  readonly samples: number;
}

/** Description, interface, path with query. */
const EXAMPLES = [
  [
    'one search, four repositories, three spellings of one town',
    'directory',
    'teams?q=thorsvik&fields=short-team-name,official-team-name,source-name',
  ],
  ['teams of a country, as a table for a spreadsheet', 'directory', 'teams.csv?country=IS'],
  ['the latest news of a channel', 'data', 'news?channel=newsletters&fields=title,published,source-name&limit=4'],
] as const;

/** Printed when the demo is ready: where its page is, addresses to try, and how to stop it (operation 1.11). */
export function banner({ page, samples, ...bases }: BannerOptions): string {
  const examples = EXAMPLES.flatMap(([description, interfaceName, query]) => [
    `  ${description}:`,
    `    curl -s '${bases[interfaceName]}/${query}'`,
  ]);
  return [
    `Rollcall serves ${samples} sample repositories of fictitious teams at one address.`,
    '',
    `  ${page}/   in a browser`,
    '',
    ...examples,
    '',
    'Ctrl+C stops it.',
    '',
  ].join('\n');
}
