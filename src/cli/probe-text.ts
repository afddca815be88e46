import type { Finding, Verdict } from '../probe/finding.js';
import type { Report } from '../probe/probe.js';
import { WIDTH, columnOf, folded } from './text.js';

const MARKS: Readonly<Record<Verdict, string>> = {
  proved: 'proved',
  consistent: 'consistent',
  refuted: 'refuted',
  open: 'not proved',
  noted: '',
};

const TITLES: Readonly<Record<Finding['resource'], string>> = {
  'directory-teams': 'teams on the directory interface',
  'data-teams': 'teams on the data interface',
  news: 'news',
  'news-item': 'news',
  channels: 'channels',
};

/** A report for people: a table for each resource, with what was asked under what came of it. */
export function reportText({ code, findings, requests, budget }: Report): string {
  const resources = [...new Set(findings.map(({ resource }) => resource))];
  const tables = resources.map((resource) => table(gathered(findings.filter((one) => one.resource === resource))));
  const titled = resources.map((resource, at) => `\n${TITLES[resource]}\n${tables[at] ?? ''}`);
  return `${code}: ${requests} of ${budget} requests\n${titled.join('')}`;
}

/** What there was no budget for, in one line. */
function gathered(findings: readonly Finding[]): readonly Finding[] {
  const without = findings.filter(({ cost }) => cost !== undefined);
  const [first] = without;
  if (first === undefined) return findings;
  const requests = without.reduce((sum, { cost = 0 }) => sum + cost, 0);
  const topics = without.map(({ topic }) => topic).join(', ');
  const evidence = `${topics}: ${first.evidence.replace(/^not asked: /, 'beyond ')}; they take up to ${requests} more`;
  return [...findings.filter(({ cost }) => cost === undefined), { ...first, topic: 'not asked', evidence }];
}

function table(findings: readonly Finding[]): string {
  const [left, right] = [columnOf(findings.map(({ topic }) => topic)), columnOf(Object.values(MARKS))];
  const indent = 2 + left + 2 + right + 2;
  return findings
    .map(({ topic, verdict, evidence, asked = [] }) => {
      const lines = [...folded(evidence, WIDTH - indent), ...targets(asked)];
      const head = `  ${topic.padEnd(left)}  ${MARKS[verdict].padEnd(right)}  `;
      return lines.map((line, at) => `${at === 0 ? head : ' '.repeat(indent)}${line}\n`).join('');
    })
    .join('');
}

/** What was asked, once each; of codes by the dozen only the first are shown. */
function targets(asked: readonly string[]): readonly string[] {
  return [...new Set(asked)].map((target) => `  ${target.length > LONGEST ? `${target.slice(0, LONGEST)}…` : target}`);
}

/** Characters of a request that are shown. */
const LONGEST = 110;
