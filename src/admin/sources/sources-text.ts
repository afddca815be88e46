import { formatAge } from '../../text/relative-time.js';
import { alignColumns, showOnOneLine } from '../../text/text-table.js';
import { listSubjects, listTroubledSources } from './page/source-problems.js';
import type { SourceProblem } from './page/source-problems.js';
import { SUMMARY_HEADINGS, judgeSources, summarizeSource } from './page/source-summary.js';
import type { SourcesReport } from './sources-report.js';

/** For terminals (operation 3.5): what all sources are, a line for each, and what is wrong with what to do about it. */
export function formatSourcesText({ sources, failedReload, unsavedSnapshots, sharing }: SourcesReport): string {
  const troubled = listTroubledSources(sources);
  const rows = sources.map((source) => {
    const { condition, records, oldest, failedRequests } = summarizeSource(source);
    return [source.code, condition, records, oldest, failedRequests];
  });
  const { text } = judgeSources(sources, troubled);
  return [
    `${text}.`,
    ...(failedReload
      ? [`The last reload failed, at ${failedReload.at}: the configuration before it is in force.`]
      : []),
    ...(unsavedSnapshots
      ? [`Snapshots cannot be saved in cache.disk since ${unsavedSnapshots.since}: ${unsavedSnapshots.error}.`]
      : []),
    ...(sharing ? [`${sharing.description} (since ${sharing.since}).`] : []),
    '',
    ...alignColumns([SUMMARY_HEADINGS, ...rows]),
    ...troubled.flatMap(({ source, problems }) => [
      '',
      ...problems.flatMap((one) => describeProblem(source.code, one)),
    ]),
  ]
    .map((line) => `${showOnOneLine(line)}\n`)
    .join('');
}

function describeProblem(code: string, { subjects, summary, age, detail, advice }: SourceProblem): readonly string[] {
  const records = age === undefined ? '' : `; the records are from ${formatAge(age * 1_000)}`;
  return [
    `${code}, ${listSubjects(subjects)}: ${summary}${records}`,
    ...(detail === undefined ? [] : [`  cause: ${detail}`]),
    `  ${advice}`,
  ];
}
