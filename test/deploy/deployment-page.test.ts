import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseConfig } from '../../src/config/parse-config.js';
import { readAlerts } from '../support/deploy/alert-rules.js';
import { headingsOf, linksOf } from '../support/deploy/markdown.js';
import { readShippedFile } from '../support/deploy/shipped-file.js';

const page = readShippedFile('docs/deployment.md');
const headings = headingsOf(page);

/** Texts of the headings below a heading, of the next level. */
function headingsBelow(parent: string): string[] {
  const start = headings.findIndex(({ text }) => text === parent);
  const level = headings[start]?.level ?? NaN;
  const rest = headings.slice(start + 1);
  const end = rest.findIndex((heading) => heading.level <= level);
  return rest.slice(0, end < 0 ? undefined : end).flatMap(({ level: own, text }) => (own === level + 1 ? [text] : []));
}

describe('docs/deployment.md', () => {
  it('has exactly one section for each alert, which the annotation runbook names', () => {
    const alerts = readAlerts();
    expect(alerts.length).toBeGreaterThan(10);
    expect(headingsBelow('Alerts')).toEqual(alerts.map(({ alert }) => alert));
    for (const { alert, annotations } of alerts)
      expect(annotations.runbook).toBe(`docs/deployment.md#${alert.toLowerCase()}`);
  });

  it('says what to do for each reason of a source that is not fresh', () => {
    const code = readShippedFile('src/model/outcome.ts').replaceAll(/\/\*[^]*?\*\//g, '');
    const reasons = ['FailureReason', 'StaleReason', 'PartialReason'].flatMap((type) =>
      [...(new RegExp(`export type ${type} =([^;]*);`).exec(code)?.[1] ?? '').matchAll(/'([^']+)'/g)].map(
        ([, reason]) => reason,
      ),
    );
    const [, section = ''] = page.split('\n## When a source is red\n');
    const rows = [...section.matchAll(/^\| `([^`]+)` /gm)].map(([, reason]) => reason);
    expect(reasons.length).toBeGreaterThan(20);
    expect(rows.toSorted()).toEqual(reasons.toSorted());
  });

  it('links to pages and headings that exist', () => {
    for (const link of linksOf(page)) {
      const [file, anchor] = link.split('#');
      const target = file === undefined || file === '' ? page : readShippedFile(`docs/${file}`);
      if (anchor !== undefined)
        expect(
          headingsOf(target).map((heading) => heading.anchor),
          link,
        ).toContain(anchor);
    }
  });

  it('names files of deploy/ that exist', () => {
    const files = page.match(/(?<![\w/])deploy\/[\w./-]*\w/g) ?? [];
    const missing = files.filter((file) => !existsSync(new URL(`../../${file}`, import.meta.url)));
    expect(files.length).toBeGreaterThan(10);
    expect(missing.filter((file) => !/^deploy\/secrets(?:\/|$)/.test(file))).toEqual([]);
  });

  it('shows valid configurations', () => {
    const blocks = [...page.matchAll(/```yaml\n([^]*?)\n```/g)].map(([, block = '']) => block);
    expect(blocks.length).toBeGreaterThan(0);
    for (const block of blocks) {
      const source = 'sources: { one: { number: 1, directory: "https://irt.example.org/v1" } }';
      const text = /^sources:/m.test(block) ? block : `${block}\n${source}`;
      const environment = { LAGOON_PASSWORD: 'secret' };
      const files = { folder: '.', readFile: () => ({ content: 'secret' }) };
      expect(parseConfig(text, environment, undefined, files)).toHaveProperty('config');
    }
  });
});
