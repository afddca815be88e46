import { existsSync } from 'node:fs';
import { load } from 'js-yaml';
import { describe, expect, it } from 'vitest';
import { incompleteReasons } from '../../src/model/reasons.js';
import { parseConfig } from '../../src/config/parse-config.js';
import { readAlerts } from '../support/deploy/alert-rules.js';
import { entriesAt, findManifest, valueAt } from '../support/deploy/deployment-documents.js';
import { deploymentText } from '../support/deploy/deployment-pages.js';
import { headingsOf } from '../support/deploy/markdown.js';
import { readShippedFile } from '../support/deploy/shipped-file.js';

const runbook = readShippedFile('docs/runbook.md');
const headings = headingsOf(runbook);

/** All YAML on the pages, without its indentation. */
function yamlBlocks(): string[] {
  return [...deploymentText.matchAll(/^( *)```yaml\n([^]*?)\n *```$/gm)].map(([, indentation = '', block = '']) =>
    block.replaceAll(new RegExp(`^${indentation}`, 'gm'), ''),
  );
}

/** Texts of the headings of the runbook below a heading, of the next level. */
function headingsBelow(parent: string): string[] {
  const start = headings.findIndex(({ text }) => text === parent);
  const level = headings[start]?.level ?? NaN;
  const rest = headings.slice(start + 1);
  const end = rest.findIndex((heading) => heading.level <= level);
  return rest.slice(0, end < 0 ? undefined : end).flatMap(({ level: own, text }) => (own === level + 1 ? [text] : []));
}

describe('docs/runbook.md', () => {
  it('has exactly one section for each alert, which the annotation runbook names', () => {
    const alerts = readAlerts();
    expect(alerts.length).toBeGreaterThan(10);
    expect(headingsBelow('Alerts')).toEqual(alerts.map(({ alert }) => alert));
    for (const { alert, annotations } of alerts)
      expect(annotations.runbook).toBe(`docs/runbook.md#${alert.toLowerCase()}`);
  });

  it('says what to do for each reason of a source that is not fresh', () => {
    const [, section = ''] = runbook.split('\n## When a source is red\n');
    const rows = [...section.matchAll(/^\| `([^`]+)` /gm)].map(([, reason]) => reason);
    expect(rows.toSorted()).toEqual(incompleteReasons.toSorted());
  });
});

describe('the pages about deployment', () => {
  it('name files of deploy/ that exist', () => {
    const files = deploymentText.match(/(?<![\w/])deploy\/[\w.@/-]*\w/g) ?? [];
    const missing = files.filter((file) => !existsSync(new URL(`../../${file}`, import.meta.url)));
    expect(files.length).toBeGreaterThan(10);
    expect(missing.filter((file) => !/^deploy\/secrets(?:\/|$)|\.new\.yaml$/.test(file))).toEqual([]);
  });

  it('show valid configurations', () => {
    const blocks = yamlBlocks().filter((block) => !block.startsWith('apiVersion:'));
    expect(blocks.length).toBeGreaterThan(1);
    for (const block of blocks) {
      const source = 'sources: { one: { number: 1, directory: "https://irt.example.org/v1" } }';
      const text = /^sources:/m.test(block) ? block : `${block}\n${source}`;
      const environment = { LAGOON_PASSWORD: 'secret', PORT: '8081', ADMIN_PORT: '9091' };
      const files = { folder: '.', readFile: () => ({ content: '0123456789abcdef'.repeat(4) }) };
      expect(parseConfig(text, environment, undefined, files)).toHaveProperty('config');
    }
  });

  it('show a ServiceMonitor that scrapes the admin port, with the job of the alert rules', () => {
    const [monitor, ...others] = yamlBlocks().filter((block) => block.startsWith('apiVersion:'));
    expect(others).toEqual([]);
    const spec = valueAt(load(monitor ?? ''), 'spec');
    const service = findManifest('Service', 'rollcall-admin');
    const labels = entriesAt(service, 'metadata', 'labels');
    expect(labels).toEqual(expect.arrayContaining(entriesAt(spec, 'selector', 'matchLabels')));
    expect(labels).toContainEqual([valueAt(spec, 'jobLabel'), 'rollcall']);
    const port = valueAt(spec, 'endpoints', 0, 'port');
    expect(valueAt(service, 'spec', 'ports', 0, 'name')).toBe(port);
    // The other services with these labels have no such port.
    expect(JSON.stringify(valueAt(findManifest('Service', 'rollcall'), 'spec', 'ports'))).not.toContain(String(port));
  });
});
