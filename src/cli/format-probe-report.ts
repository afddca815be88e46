import { pluralize } from '../probe/finding.js';
import type { ProbeFinding, CheckVerdict } from '../probe/finding.js';
import type { ProbeReport } from '../probe/probe.js';
import { TERMINAL_WIDTH, columnWidth, replaceControlCharacters, wrapText } from './command-line/terminal-text.js';

const VERDICT_LABELS: Readonly<Record<CheckVerdict, string>> = {
  proved: 'proved',
  refuted: 'refuted',
  open: 'not proved',
  noted: '',
};

const RESOURCE_TITLES: Readonly<Record<ProbeFinding['resource'], string>> = {
  'directory-teams': 'teams on the directory interface',
  'data-teams': 'teams on the data interface',
  news: 'news',
  'news-item': 'news',
  channels: 'channels',
  feed: 'feeds',
};

/** A table for each resource or feed, with the queries behind each finding (operation 1.5). */
export function formatProbeReport({ code, findings, requests }: ProbeReport): string {
  const titles = [...new Set(findings.map(titleOf))];
  const tables = titles.map((title) => {
    const table = formatTable(findings.filter((one) => titleOf(one) === title));
    return `\n${title}\n${table}`;
  });
  return `${code}: ${pluralize(requests, 'request')}\n${tables.join('')}`;
}

function titleOf({ resource, feed }: ProbeFinding): string {
  return feed === undefined ? RESOURCE_TITLES[resource] : `feed ${replaceControlCharacters(feed)}`;
}

function formatTable(findings: readonly ProbeFinding[]): string {
  const [left, right] = [columnWidth(findings.map(({ topic }) => topic)), columnWidth(Object.values(VERDICT_LABELS))];
  const indent = 2 + left + 2 + right + 2;
  return findings
    .map(({ topic, verdict, evidence, asked = [] }) => {
      const lines = [...wrapText(evidence, TERMINAL_WIDTH - indent), ...listTargets(asked)];
      const head = `  ${topic.padEnd(left)}  ${VERDICT_LABELS[verdict].padEnd(right)}  `;
      return lines.map((line, at) => `${at === 0 ? head : ' '.repeat(indent)}${line}\n`).join('');
    })
    .join('');
}

/** Distinct requests; one with dozens of codes is cut. */
function listTargets(asked: readonly string[]): readonly string[] {
  return [...new Set(asked)].map(
    (target) => `  ${target.length > MAX_TARGET_LENGTH ? `${target.slice(0, MAX_TARGET_LENGTH)}…` : target}`,
  );
}

/** In characters. */
const MAX_TARGET_LENGTH = 110;
