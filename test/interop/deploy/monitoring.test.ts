import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { beforeAll, describe, expect, it } from 'vitest';
import { adaptShippedFile, readShippedFile } from '../../support/deploy/shipped-file.js';
import { programs, run } from '../programs.js';
import { startProgram } from '../started-program.js';
import type { StartedProgram } from '../started-program.js';
import { startMonitoredGateway } from './monitored-gateway.js';
import type { MonitoredGateway } from './monitored-gateway.js';
import { readAlerts } from '../../support/deploy/alert-rules.js';
import { readPanels } from '../../support/deploy/dashboard.js';
import { labelsInExpression, metricsInExpression } from '../../support/deploy/promql.js';

const FOLDER = new URL('../../../deploy/prometheus/', import.meta.url).pathname;

/** Time until Prometheus has scraped often enough for rates, in milliseconds. */
const SCRAPING = { timeout: 40_000, interval: 500 };

/** Values of the dashboard's variables. */
const VARIABLES: readonly (readonly [variable: string, value: string])[] = [
  ['$__rate_interval', '10s'],
  ['$instance', '.*'],
  ['$source', '.*'],
];

let gateway: MonitoredGateway;
let prometheus: StartedProgram;

/** Sends a query to the HTTP API of Prometheus. Returns its `data`; throws the error of Prometheus. */
async function requestApi(path: string, parameters: Readonly<Record<string, string>>): Promise<unknown> {
  const query = new URLSearchParams(parameters);
  const response = await fetch(`http://127.0.0.1:${prometheus.port}/api/v1/${path}?${query.toString()}`);
  const reply: unknown = await response.json();
  if (typeof reply !== 'object' || reply === null || !('data' in reply)) throw new Error(JSON.stringify(reply));
  return reply.data;
}

type Labels = Readonly<Record<string, string>>;

/** Labels of all series that are the result of an expression. */
async function evaluate(expression: string): Promise<Labels[]> {
  const data = await requestApi('query', { query: expression });
  return (data as { result: { metric: Labels }[] }).result.map(({ metric }) => metric);
}

/** Names of the labels of all series of a metric. */
async function labelsOf(metric: string): Promise<Set<string>> {
  const series = (await requestApi('series', { 'match[]': metric })) as Labels[];
  return new Set(series.flatMap((labels) => Object.keys(labels)));
}

const substitute = (expression: string): string =>
  VARIABLES.reduce((text, [variable, value]) => text.replaceAll(variable, value), expression);

beforeAll(async () => {
  gateway = await startMonitoredGateway();
  prometheus = await startProgram(programs.prometheus, (folder, port) => {
    const file = join(folder, 'prometheus.yaml');
    const text = adaptShippedFile('deploy/prometheus/prometheus.yaml', [
      ['127.0.0.1:9090', gateway.adminAddress],
      ['scrape_interval: 15s', 'scrape_interval: 1s'],
      ['rollcall.rules.yaml', join(FOLDER, 'rollcall.rules.yaml')],
    ]);
    writeFileSync(file, text);
    const storage = `--storage.tsdb.path=${join(folder, 'data')}`;
    return [`--config.file=${file}`, storage, `--web.listen-address=127.0.0.1:${port}`, '--log.level=error'];
  });
  return async () => {
    await prometheus.close();
    await gateway.close();
  };
}, 60_000);

describe('the alert rules', () => {
  it.each([
    ['check', 'config', 'prometheus.yaml'],
    ['check', 'config', 'prometheus-compose.yaml'],
    ['check', 'rules', 'rollcall.rules.yaml'],
    ['test', 'rules', 'rollcall.rules.test.yaml'],
  ])('pass promtool %s %s %s', (...words) => {
    const { status, stdout, stderr } = run(programs.promtool, [...words.slice(0, 2), join(FOLDER, words[2])]);
    expect(status, stdout + stderr).toBe(0);
  });

  it.each(['prometheus.yaml', 'prometheus-compose.yaml'])('can be sent to the Alertmanager of %s', (name) => {
    const lines = readShippedFile(`deploy/prometheus/${name}`).replaceAll(/^#(?=alerting:| )(?! [A-Z])/gm, '');
    expect(load(lines)).toHaveProperty('alerting.alertmanagers');
    const folder = mkdtempSync(join(tmpdir(), 'rollcall-alerting-'));
    const file = join(folder, name);
    writeFileSync(file, lines.replace('rollcall.rules.yaml', join(FOLDER, 'rollcall.rules.yaml')));
    const { status, stdout, stderr } = run(programs.promtool, ['check', 'config', file]);
    rmSync(folder, { recursive: true });
    expect(status, stdout + stderr).toBe(0);
  });

  it('have a unit test each', () => {
    const tested = new Set(readShippedFile('deploy/prometheus/rollcall.rules.test.yaml').match(/(?<=alertname: )\w+/g));
    expect([...tested].sort()).toEqual(
      readAlerts()
        .map(({ alert }) => alert)
        .sort(),
    );
  });

  it.each(readAlerts())(
    '$alert names metrics and labels that a gateway exports, and is evaluated',
    async ({ expr }) => {
      await evaluate(expr);
      await expectExported(expr);
    },
  );
});

describe('the dashboard', () => {
  it.each(readPanels().flatMap(({ title, targets }) => targets.map((target) => ({ title, ...target }))))(
    '$title: $expr has a result',
    async ({ expr, legendFormat }) => {
      const expression = substitute(expr);
      await expectExported(expression);
      await expect.poll(() => evaluate(expression), SCRAPING).not.toEqual([]);
      const labels = new Set((await evaluate(expression)).flatMap((metric) => Object.keys(metric)));
      const shown = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = '']) => label);
      expect([...labels]).toEqual(expect.arrayContaining(shown));
    },
  );

  it('finds the instances and sources of its variables', async () => {
    const page: unknown = load(readShippedFile('deploy/grafana/rollcall-dashboard.json'));
    const queries = [...JSON.stringify(page).matchAll(/"definition":"label_values\((.*?), (\w+)\)"/g)];
    expect(queries.length).toBe(2);
    for (const [, selector = '', label = ''] of queries) {
      const labels = await labelsOf(substitute(selector.replaceAll('\\"', '"')));
      expect(labels).toContain(label);
    }
  });
});

/** Expects that each metric of an expression exists with the labels that the expression names. */
async function expectExported(expression: string): Promise<void> {
  const metrics = metricsInExpression(expression);
  expect(metrics).not.toEqual([]);
  const exported = new Set<string>();
  for (const metric of metrics) {
    await expect.poll(() => labelsOf(metric), { ...SCRAPING, message: metric }).not.toEqual(new Set());
    for (const label of await labelsOf(metric)) exported.add(label);
  }
  expect([...exported]).toEqual(expect.arrayContaining(labelsInExpression(expression)));
}
