import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatExampleTarget } from '../../src/openapi/described-operation.js';
import { errorCatalogue } from '../../src/model/error-catalogue.js';
import type { ResourceName } from '../../src/model/resource.js';
import { servedFormats } from '../../src/model/resources/served-formats.js';
import { formats } from '../../src/render/formats.js';
import { startDemo } from '../support/gateway/demo-gateway.js';
import type { DemoGateway } from '../support/gateway/demo-gateway.js';
import { startGateway } from '../support/gateway/test-gateway.js';
import type { GatewaySetup } from '../support/gateway/test-gateway.js';
import { createSchemaValidator } from '../support/openapi/schema-validator.js';
import type { SchemaValidator } from '../support/openapi/schema-validator.js';
import { readDescription, valueAt } from '../support/openapi/read-description.js';
import type { Description } from '../support/openapi/read-description.js';

/** The description that a gateway with a configuration has. */
async function describeGateway(setup: GatewaySetup): Promise<Description> {
  const gateway = await startGateway(setup);
  try {
    return readDescription((await gateway.get('/openapi.json')).json);
  } finally {
    await gateway.close();
  }
}

const SOURCE = { 'source-name': 'Harbour', directory: 'http://127.0.0.1:9/directory/v1' };

/** Names of the query parameters of an operation. */
function namesOf(description: Description, path: string): string[] {
  return description.parametersOf(path).map(({ name }) => name);
}

describe('the description of the demo', () => {
  let demo: DemoGateway;
  let description: Description;
  let validator: SchemaValidator;

  beforeAll(async () => {
    demo = await startDemo();
    const document: unknown = await (await fetch(`${demo.origin}/openapi.json`)).json();
    description = readDescription(document);
    validator = createSchemaValidator(document);
  });

  afterAll(() => demo.close());

  it('has each served path twice: as it is, and with an extension', () => {
    const paths = [
      '/directory/v1/teams',
      '/directory/v1/teams/{id}',
      '/directory/v1/teams/{id}/same',
      '/directory/v1/search',
      '/data/v1/teams',
      '/data/v1/teams/{id}',
      '/data/v1/search',
      '/data/v1/news',
      '/data/v1/news/{id}',
      '/data/v1/channels',
      '/data/v1/countries',
    ];
    expect(description.paths).toEqual(paths.flatMap((path) => [path, `${path}.{extension}`]));
  });

  it('refers only to components that exist', () => {
    expect(description.brokenReferences()).toEqual([]);
  });

  it('gives each response the schema of its formats, with their media types', () => {
    const mediaTypesOf = (resource: ResourceName): readonly string[] => [
      ...formats.filter(({ name }) => servedFormats[resource].includes(name)).flatMap(({ mediaTypes }) => mediaTypes),
      'text/javascript',
    ];
    expect(description.mediaTypesOf('/directory/v1/teams', '200')).toEqual(mediaTypesOf('directory-teams'));
    expect(description.mediaTypesOf('/data/v1/teams', '200')).toEqual(mediaTypesOf('data-teams'));
    expect(description.mediaTypesOf('/data/v1/news', '200')).toEqual(mediaTypesOf('news'));
  });

  it('names every error of the catalogue that an operation can meet', () => {
    const statusesOf = (...occurrences: readonly string[]): number[] =>
      Object.values(errorCatalogue)
        .filter(({ occurrence }) => ['every', 'connection', 'sources', ...occurrences].includes(occurrence))
        .map(({ status }) => status);
    const expected = (...occurrences: readonly string[]): string[] =>
      [...new Set([200, 304, ...statusesOf(...occurrences)])].map(String).sort();
    expect(description.statusesOf('/data/v1/news')).toEqual(expected());
    expect(description.statusesOf('/data/v1/news/{id}')).toEqual(expected('item'));
    expect(description.statusesOf('/directory/v1/teams/{id}')).toEqual(expected('item', 'team'));
    expect(description.statusesOf('/data/v1/teams')).toEqual(expected('credentials'));
  });

  it('has the schema of what each example requests and returns, and the responses themselves', async () => {
    for (const served of demo.servedResources) {
      for (const example of served.description.examples) {
        const target = formatExampleTarget(served, example);
        const response = await fetch(demo.origin + target);
        const body: unknown = await response.json();
        expect([target, response.status, body]).toEqual([target, 200, example.response]);
        const path = description.pathOf(served.description.operationId);
        expect(validator.findErrors(description.schemaPointer(path, 200, 'application/json'), body), target).toEqual(
          [],
        );
        for (const [name, value] of Object.entries(example.parameters)) {
          const parameter = description.parametersOf(path).find((known) => known.name === name);
          expect(parameter, `${target}: ${name}`).toBeDefined();
          if (parameter === undefined) continue;
          expect(validator.findErrors(parameter.schemaPointer, parameter.parse(value)), `${target}: ${name}`).toEqual(
            [],
          );
        }
      }
    }
  });

  it('has the schema of every record of the demo, in every scope, with an envelope and without one', async () => {
    const targets = [
      '/directory/v1/teams?limit=10000',
      '/data/v1/teams?limit=10000',
      '/data/v1/teams?limit=10000&scope=minimal',
      '/data/v1/teams?limit=10000&scope=country',
      '/data/v1/teams?limit=10000&scope=pgp',
      '/data/v1/news?limit=10000',
      '/data/v1/channels?limit=10000',
    ];
    for (const target of targets.flatMap((one) => [`${one}&envelope=true`, `${one}&envelope=false`])) {
      const response = await fetch(demo.origin + target);
      const [path = ''] = target.split('?');
      const pointer = description.schemaPointer(path, 200, 'application/json');
      expect([target, response.status]).toEqual([target, 200]);
      expect(validator.findErrors(pointer, await response.json()), target).toEqual([]);
    }
  });

  it('has the schema of an error, and the required header fields of each response', async () => {
    for (const path of ['/directory/v1/teams', '/data/v1/teams']) {
      const error = await fetch(`${demo.origin}${path}?limit=x&colour=blue`);
      expect(error.status).toBe(400);
      const pointer = description.schemaPointer(path, 400, 'application/json');
      expect(validator.findErrors(pointer, await error.json())).toEqual([]);
      for (const [target, status] of [
        ['?limit=1', 200],
        ['?limit=x', 400],
      ] as const) {
        const { headers } = await fetch(demo.origin + path + target);
        const missing = description.requiredHeaders(path, status).filter((name) => !headers.has(name));
        expect(missing, `${path}${target}`).toEqual([]);
      }
    }
  });

  it('accepts a value only if the gateway does', async () => {
    const rejected = [
      ['limit', '-1'],
      ['envelope', '2'],
      ['callback', 'a.b'],
      ['country', 'XX'],
      ['region', 'Atlantis'],
      ['source-name', 'Nobody'],
      ['sort', 'colour'],
      ['fields', '-nobody-member-type'],
    ] as const;
    for (const [name, value] of rejected) {
      const parameter = description.parametersOf('/directory/v1/teams').find((known) => known.name === name);
      expect(parameter && validator.findErrors(parameter.schemaPointer, parameter.parse(value)), name).not.toEqual([]);
      const response = await fetch(`${demo.origin}/directory/v1/teams?${name}=${value}`);
      const body = await response.text();
      expect(body, name).toContain('400');
    }
  });
});

describe('the description', () => {
  it('has the base paths, defaults, source-names and properties of the configuration', async () => {
    const description = await describeGateway({
      server: {
        'directory-path': '/global-irt/v1',
        'public-url': 'https://irt.example.org',
        limit: { default: 7 },
        envelope: { directory: true },
      },
      sources: { harbour: { ...SOURCE, properties: ['colour'] } },
    });
    expect(description.paths[0]).toBe('/global-irt/v1/teams');
    expect(valueAt(description.document, 'servers')).toEqual([{ url: 'https://irt.example.org' }]);
    const find = (name: string): unknown =>
      description.parametersOf('/global-irt/v1/teams').find((parameter) => parameter.name === name)?.schema;
    expect(find('limit')).toMatchObject({ default: 7 });
    expect(find('envelope')).toMatchObject({ default: true });
    expect(find('source-name')).toEqual({ type: 'string', enum: ['Harbour'] });
    expect(find('colour')).toEqual({ type: 'string' });
  });

  it('takes any source-name where an aggregate is registered', async () => {
    const description = await describeGateway({ sources: { harbour: { ...SOURCE, aggregate: true } } });
    const parameter = description.parametersOf('/directory/v1/teams').find(({ name }) => name === 'source-name');
    expect(parameter?.schema).toEqual({ type: 'string' });
  });

  it('describes credentials and rate limits only where they are configured', async () => {
    const open = await describeGateway({ sources: { harbour: SOURCE } });
    expect(valueAt(open.document, 'components', 'securitySchemes')).toBeUndefined();
    expect(open.statusesOf('/directory/v1/teams')).not.toContain('401');
    expect(open.statusesOf('/directory/v1/teams')).not.toContain('429');
    const guarded = await describeGateway({
      server: { limits: { rate: '10/1m' } },
      access: { clients: [{ name: 'desk', 'key-sha256': '0'.repeat(64), access: 'members' }] },
      sources: { harbour: SOURCE },
    });
    expect(valueAt(guarded.document, 'components', 'securitySchemes')).toMatchObject({ bearer: { scheme: 'bearer' } });
    expect(valueAt(guarded.document, 'paths', '/directory/v1/teams', 'get', 'security')).toEqual([{}, { bearer: [] }]);
    expect(guarded.statusesOf('/directory/v1/teams')).toEqual(expect.arrayContaining(['401', '403', '429']));
  });

  it('describes no filters and no paging for a single record, and no fields where the properties are fixed', async () => {
    const description = await describeGateway({ sources: { harbour: SOURCE } });
    expect(namesOf(description, '/directory/v1/teams/{id}')).toEqual(['fields', 'envelope', 'pretty', 'callback']);
    expect(namesOf(description, '/directory/v1/teams/{id}/same')).toEqual(['envelope', 'pretty', 'callback']);
    expect(namesOf(description, '/data/v1/teams/{id}')).toEqual(['fields', 'envelope', 'pretty', 'callback', 'scope']);
  });
});
