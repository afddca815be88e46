import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { directoryUpstream } from '../support/upstream/directory-upstream.js';
import * as faulty from '../support/upstream/faulty-responses.js';
import type { RequestHandler } from '../support/upstream/upstream-server.js';
import { FailureScene, HEALTHY_TEAMS, teamNames } from './failure-scene.js';

const NAME = 'short-team-name';

/** A body that is a page of one record, and nothing behind it. */
function page(text: string): RequestHandler {
  return faulty.when(faulty.atOffset(0), faulty.body(text), directoryUpstream([]));
}

/** An envelope with one record, both as the JSON text of their further properties. */
function envelope(facts: string, properties: string): string {
  return `{"status":"OK",${facts}"total":1,"data":[{"${NAME}":"A",${properties}"email":"a@example.org"}]}`;
}

const deep = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;

/** Bodies that are odd and can be read all the same; hostile ones of several megabytes under `max-body`. */
const ODD: [title: string, text: string, record: object][] = [
  ['a byte order mark', `\uFEFF${envelope('', '')}`, {}],
  [
    'duplicate keys, of which the last counts',
    envelope('"total":7,"data":[],', '"host":"first","host":"second",'),
    { host: 'second' },
  ],
  ['nesting 10,000 deep', envelope(`"note":${deep(10_000)},`, `"host":${deep(10_000)},`), {}],
  ['objects nested 10,000 deep', envelope('', `"host":${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)},`), {}],
  [
    '`__proto__` and `constructor`',
    envelope('"__proto__":{"data":[]},', '"__proto__":{"host":"x"},"constructor":{"prototype":{"host":"x"}},'),
    {},
  ],
  ['a string of ten megabytes in its envelope', envelope(`"note":"${'x'.repeat(10_000_000)}",`, ''), {}],
  [
    'ten thousand keys in its envelope',
    envelope(Array.from({ length: 10_000 }, (_, at) => `"k${at}":0,`).join(''), ''),
    {},
  ],
];

describe('a source whose answers are odd, and can be read', () => {
  let scene: FailureScene;

  beforeEach(async () => {
    scene = await FailureScene.open({ 'max-body': '16MiB' });
  });
  afterEach(() => scene.close());

  it.each(ODD)('contributes its records: %s', async (_title, text, record) => {
    scene.begin(page(text));
    const { state, status, well, got } = await scene.ask();
    expect({ state, status, well }).toEqual({ state: 'fresh', status: 200, well: teamNames(HEALTHY_TEAMS) });
    const shown = recordNamed('A', got.json);
    expect(shown).toMatchObject({ [NAME]: 'A', email: 'a@example.org', 'source-name': 'troubled', ...record });
    expect(Object.hasOwn(shown, '__proto__')).toBe(false);
    expect(shown).not.toHaveProperty('prototype');
    if (!('host' in record)) expect(shown).not.toHaveProperty('host');
  });

  it('contributes a string of ten megabytes', async () => {
    scene.begin(page(envelope('', `"host":"${'x'.repeat(10_000_000)}",`)));
    const { got } = await scene.ask();
    expect(recordNamed('A', got.json)).toHaveProperty('host.length', 10_000_000);
  });

  it('contributes a record with ten thousand properties', async () => {
    const properties = Array.from({ length: 10_000 }, (_, at) => `"k${at}":0,`).join('');
    scene.begin(page(envelope('', properties)));
    const { got } = await scene.ask('&fields=short-team-name,email&source-name=troubled');
    expect(got.json).toMatchObject({ total: 1, data: [{ [NAME]: 'A', email: 'a@example.org' }] });
  });
});

function recordNamed(name: string, json: unknown): object {
  const { data } = Object(json) as { readonly data: readonly Readonly<Record<string, unknown>>[] };
  const found = data.find((record) => record[NAME] === name);
  if (found === undefined) throw new Error(`no record is named ${name}`);
  return found;
}
