import { formatAge } from '../../text/relative-time.js';
import { alignColumns, showOnOneLine } from '../../text/text-table.js';
import { listSubjects, listTroubledSources } from './page/source-problems.js';
import type { SourceProblem } from './page/source-problems.js';
import { listNotices } from './sources-notices.js';
import { SUMMARY_HEADINGS, summarizeSource } from './page/source-summary.js';
import type { SourcesReport } from './sources-report.js';

/** For terminals (operation 3.5): what all sources are, a line for each, and what is wrong with what to do about it. */
export function formatSourcesText(report: SourcesReport): string {
  const { sources } = report;
  const troubled = listTroubledSources(sources);
  const rows = sources.map((source) => {
    const { condition, records, oldest, failedRequests } = summarizeSource(source);
    return [source.code, condition, records, oldest, failedRequests];
  });
  return [
    ...listNotices(report, troubled).flatMap(({ text, items = [] }) => [text, ...items.map((item) => `  ${item}`)]),
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
