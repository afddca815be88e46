import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '../src/app.js';
import type { Config } from '../src/config/config.js';
import { parseConfig } from '../src/config/parse.js';
import { startSamples } from '../src/demo/samples.js';
import type { Samples } from '../src/demo/samples.js';
import { errorCatalogue } from '../src/model/error.js';
import { listen } from '../src/operate/listener.js';
import { undiciWire } from '../src/source/transport.js';

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

/** Each `curl` line of a document with the answer that stands behind it. */
function examples(document: string): [command: string, answer: string][] {
  const pattern = /```sh\n(curl [^\n]+)\n```\n\n```json\n([\s\S]*?)\n```/g;
  return [...document.matchAll(pattern)].map(([, command = '', answer = '']) => [command, answer]);
}

/** First cells of a document's table rows, as far as they are code. */
function tableKeys(document: string): string[] {
  return [...document.matchAll(/^\| `([^`]+)`/gm)].map(([, key = '']) => key);
}

/** The string literals of a union type, read from its source. */
function unionMembers(source: string, type: string): string[] {
  const body = new RegExp(`export type ${type} =([\\s\\S]*?);`).exec(source)?.[1] ?? '';
  return [...body.matchAll(/'([^']+)'/g)].map(([, member = '']) => member);
}

function configOf(text: string): Config {
  const parsed = parseConfig(text, {});
  if ('faults' in parsed) throw new Error(JSON.stringify(parsed.faults));
  return parsed.config;
}

describe('the README', () => {
  const wire = undiciWire();
  let samples: Samples;
  let server: Server;
  let address: string;

  beforeAll(async () => {
    const { samples: ports, ...demo } = configOf(read('config/demo.yaml'));
    samples = await startSamples(new Map([...ports.keys()].map((name) => [name, 0])));
    const sources = demo.sources.map((source) => ({ ...source, directory: samples.addresses.get(source.code) ?? '' }));
    const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };
    const clock = { now: () => Date.UTC(2026, 10, 20) };
    server = createServer(
      createApp({ ...demo, samples: ports, sources }, { transport: wire.transport, clock, log: silent }).listener,
    );
    address = await listen(server, { host: '127.0.0.1', port: 0 });
  });

  afterAll(async () => {
    server.closeAllConnections();
    server.close();
    await Promise.all([wire.close(), samples.close()]);
  });

  it.each(examples(read('README.md')))('shows what the demo answers to %s', async (command, answer) => {
    const url = /'(http:\/\/127\.0\.0\.1:8080[^']+)'/.exec(command)?.[1] ?? '';
    const response = await fetch(url.replace('http://127.0.0.1:8080', address));
    expect(await response.text()).toBe(answer);
  });

  it('has examples that are tried here', () => {
    expect(examples(read('README.md')).length).toBeGreaterThan(3);
  });

  it('shows a configuration that is valid', () => {
    const yaml = /```yaml\n([\s\S]*?)```/.exec(read('README.md'))?.[1] ?? '';
    expect(parseConfig(yaml, {})).toHaveProperty('config');
  });
});

describe('the documents', () => {
  it('have a heading for every error of the catalogue, and for no other', () => {
    const headings = [...read('docs/errors.md').matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
    expect(headings.sort()).toEqual(
      Object.values(errorCatalogue)
        .map(({ status, phrase }) => `${status} ${phrase}`)
        .sort(),
    );
  });

  it('explain every rule of data quality, and no other', () => {
    const rules = unionMembers(read('src/source/findings.ts'), 'Rule');
    expect(rules.length).toBeGreaterThan(10);
    expect(tableKeys(read('docs/data-quality.md')).sort()).toEqual(rules.sort());
  });

  it('explain every reason for which a source lacks, and every state', () => {
    const source = read('src/model/outcome.ts');
    const reasons = ['Exclusion', 'FailureReason', 'Doubt'].flatMap((type) => unionMembers(source, type));
    const keys = tableKeys(read('docs/operating.md'));
    expect(keys).toEqual(expect.arrayContaining(reasons));
    expect(keys).toEqual(expect.arrayContaining(['fresh', 'inconsistent', 'partial', 'failed', 'excluded']));
  });
});
