import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeOperation, formatExampleTarget } from '../../../src/openapi/described-operation.js';
import { listDescribedProperties } from '../../../src/openapi/record-schema.js';
import { requestFields, responseFields } from '../../../src/http/representation/response-fields.js';
import { errorCatalogue } from '../../../src/model/error-catalogue.js';
import { REASON_DESCRIPTIONS, STATE_DESCRIPTIONS } from '../../../src/model/outcome-description.js';
import { scopeDescriptions } from '../../../src/model/resources/team-scopes.js';
import { formats } from '../../../src/render/formats.js';
import { startDemo } from '../../support/gateway/demo-gateway.js';
import { startGateway } from '../../support/gateway/test-gateway.js';
import type { DemoGateway } from '../../support/gateway/demo-gateway.js';

let demo: DemoGateway;
let html: string;

beforeAll(async () => {
  demo = await startDemo();
  html = await (await fetch(`${demo.origin}/docs`)).text();
});

afterAll(() => demo.close());

/** Ids of the elements of the page. */
function anchors(): string[] {
  return [...html.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id);
}

/** The reference of the interfaces for people (operation 4.2, decisions 2.42). */
describe('/docs', () => {
  it('has exactly one row for each row of the tables', () => {
    const rows = [...html.matchAll(/<tr id="([^"]+)">/g)].map(([, id = '']) => id);
    const operations = demo.servedResources.map(describeOperation);
    const resources = new Set(operations.map(({ served }) => served.options.rules.vocabulary.resource));
    const expected = [
      ...operations.flatMap(({ served, itemId, parameters }) =>
        [...(itemId ? [itemId] : []), ...parameters].map(({ name }) => `${served.description.operationId}.${name}`),
      ),
      ...[...resources].flatMap((resource) =>
        [
          ...listDescribedProperties(resource).map(({ name }) => name),
          ...(resource.idProperty ? [resource.idProperty] : []),
        ].map((name) => `${resource.name}.${name}`),
      ),
      ...Object.keys(scopeDescriptions).map((scope) => `scope-${scope}`),
      ...formats.map(({ name }) => `format-${name}`),
      ...requestFields.filter(({ name }) => name !== 'Authorization').map(({ name }) => `request-${name}`),
      ...responseFields.filter(({ name }) => !name.startsWith('RateLimit')).map(({ name }) => `response-${name}`),
      ...Object.keys(STATE_DESCRIPTIONS).map((state) => `state-${state}`),
      ...Object.keys(REASON_DESCRIPTIONS).map((reason) => `reason-${reason}`),
      ...Object.keys(errorCatalogue)
        .filter((kind) => !['forbidden', 'rate-limited', 'issuer-unavailable'].includes(kind))
        .map((kind) => `error-${kind}`),
    ];
    expect(rows).toEqual(expected);
  });

  it('has credentials, tokens and rate limits where they are configured', async () => {
    const gateway = await startGateway({
      server: { limits: { rate: '10/1m' } },
      access: { clients: [{ name: 'desk', 'key-sha256': '0'.repeat(64), access: 'members' }] },
      sources: { harbour: { directory: 'http://127.0.0.1:9/directory/v1' } },
    });
    const { text } = await gateway.get('/docs');
    await gateway.close();
    for (const anchor of ['request-Authorization', 'response-RateLimit', 'error-rate-limited', 'error-forbidden'])
      expect(text).toContain(`<tr id="${anchor}">`);
    expect(text).not.toContain('error-issuer-unavailable');
  });

  it('states of each operation the errors without an extension, and filters that only one source has', () => {
    const sectionOf = (id: string): string => html.split(`<section id="${id}"`)[1]?.split('</section>')[0] ?? '';
    expect(sectionOf('listNews')).toContain('>502</a>');
    expect(sectionOf('listNews')).not.toContain('>404</a>');
    expect(sectionOf('readNewsItem')).toContain('>404</a>');
    expect(sectionOf('listDirectoryTeams')).toContain('Properties that only one source has are filters too');
    expect(sectionOf('listNews')).not.toContain('are filters too');
    expect(sectionOf('listDataTeams')).toContain('needs <code>scope=pgp</code>');
  });

  it('describes the parameters, scopes and errors in words', () => {
    const rowOf = (id: string): string => html.split(`<tr id="${id}">`)[1]?.split('</tr>')[0] ?? '';
    expect(rowOf('scope-pgp')).toContain('<code>pgp-key</code>');
    expect(rowOf('error-not-found')).toContain('404 Not Found');
  });

  it('links to paths below the public URL', async () => {
    const gateway = await startGateway({
      server: { 'public-url': 'https://irt.example.org/rollcall' },
      sources: { harbour: { directory: 'http://127.0.0.1:9/directory/v1' } },
    });
    const { text } = await gateway.get('/docs');
    await gateway.close();
    expect(text).toContain('<a href="https://irt.example.org/rollcall/openapi.json">');
    expect(text).toContain('<a href="https://irt.example.org/rollcall/directory/v1/teams?');
    expect(text).not.toContain('<a href="/directory');
  });

  it('has each anchor once, and links only to anchors that exist', () => {
    const all = anchors();
    expect(new Set(all).size).toBe(all.length);
    const links = [...html.matchAll(/href="#([^"]+)"/g)].map(([, id = '']) => id);
    expect(links.filter((id) => !all.includes(id))).toEqual([]);
  });

  it('has each example as a link and as a command', () => {
    for (const served of demo.servedResources)
      for (const example of served.description.examples) {
        const target = formatExampleTarget(served, example).replaceAll('&', '&amp;');
        expect(html).toContain(`<a href="${target}">open</a>`);
        expect(html).toContain(`curl -s 'http://localhost:8080${target}'`);
      }
  });

  it('is linked from every page, and each list links to its section', async () => {
    for (const path of ['/', '/news', '/docs']) {
      const page = await (await fetch(demo.origin + path)).text();
      expect(page, path).toContain('<a href="/docs"');
    }
    expect(await (await fetch(`${demo.origin}/?country=IS`)).text()).toContain('href="/docs#listDirectoryTeams"');
    expect(await (await fetch(`${demo.origin}/news`)).text()).toContain('href="/docs#listNews"');
  });

  it('has an entity tag, and the header fields of a page', async () => {
    const { headers } = await fetch(`${demo.origin}/docs`);
    expect(headers.get('content-security-policy')).toContain("script-src 'self'");
    expect(headers.get('access-control-allow-origin')).toBeNull();
    expect(headers.get('x-robots-tag')).toBe('noindex');
    const etag = headers.get('etag') ?? '';
    expect((await fetch(`${demo.origin}/docs`, { headers: { 'If-None-Match': etag } })).status).toBe(304);
  });
});
