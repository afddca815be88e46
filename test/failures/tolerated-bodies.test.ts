import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { directoryUpstream } from '../support/upstream/directory-upstream.js';
import * as faulty from '../support/upstream/faulty-responses.js';
import type { RequestHandler } from '../support/upstream/upstream-server.js';
import { FailureScene, HEALTHY_TEAMS, teamNames } from './failure-scene.js';

const NAME = 'short-team-name';

/** Serves this body as the first page, and an empty page behind it. */
function page(text: string): RequestHandler {
  return faulty.when(faulty.atOffset(0), faulty.body(text), directoryUpstream([]));
}

/** An envelope with one record; the arguments are JSON text of further properties of the envelope and of the record. */
function envelope(facts: string, properties: string): string {
  return `{"status":"OK",${facts}"total":1,"data":[{"${NAME}":"A",${properties}"email":"a@example.org"}]}`;
}

const deep = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;

/** Unusual bodies that Rollcall reads, up to several megabytes within `max-body`. */
const UNUSUAL_BODIES: [title: string, text: string, record: object][] = [
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
  ['a string of three megabytes in its envelope', envelope(`"note":"${'x'.repeat(3_000_000)}",`, ''), {}],
  [
    'ten thousand keys in its envelope',
    envelope(Array.from({ length: 10_000 }, (_, at) => `"k${at}":0,`).join(''), ''),
    {},
  ],
];

/** Unusual bodies that are readable (decisions 6.14). */
describe('a source with unusual but readable bodies', () => {
  let scene: FailureScene;

  beforeEach(async () => {
    scene = await FailureScene.open({ 'max-body': '16MiB' });
  });
  afterEach(() => scene.close());

  it.each(UNUSUAL_BODIES)('contributes its records: %s', async (_title, text, record) => {
    scene.setFault(page(text));
    const { state, status, well, response } = await scene.fetchList();
    expect({ state, status, well }).toEqual({ state: 'fresh', status: 200, well: teamNames(HEALTHY_TEAMS) });
    const shown = recordNamed('A', response.json);
    expect(shown).toMatchObject({ [NAME]: 'A', email: 'a@example.org', 'source-name': 'troubled', ...record });
    expect(Object.hasOwn(shown, '__proto__')).toBe(false);
    expect(shown).not.toHaveProperty('prototype');
    if (!('host' in record)) expect(shown).not.toHaveProperty('host');
  });

  it('contributes a string of three megabytes', async () => {
    scene.setFault(page(envelope('', `"host":"${'x'.repeat(3_000_000)}",`)));
    const { response } = await scene.fetchList();
    expect(recordNamed('A', response.json)).toHaveProperty('host.length', 3_000_000);
  });

  it('contributes a record with ten thousand properties', async () => {
    const properties = Array.from({ length: 10_000 }, (_, at) => `"k${at}":0,`).join('');
    scene.setFault(page(envelope('', properties)));
    const { response } = await scene.fetchList('&fields=short-team-name,email&source-name=troubled');
    expect(response.json).toMatchObject({ total: 1, data: [{ [NAME]: 'A', email: 'a@example.org' }] });
  });
});

function recordNamed(name: string, json: unknown): object {
  const { data } = Object(json) as { readonly data: readonly Readonly<Record<string, unknown>>[] };
  const found = data.find((record) => record[NAME] === name);
  if (found === undefined) throw new Error(`no record is named ${name}`);
  return found;
}
