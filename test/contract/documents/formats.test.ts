import { describe, expect, it } from 'vitest';
import { bodyParser } from '../../support/gateway/threads/body-parser.js';
import type { GatewayDependencies } from '../../support/gateway/test-gateway.js';
import type { RequestHandler } from '../../support/upstream/upstream-server.js';
import { startDocuments } from './document-scene.js';
import type { DocumentScene } from './document-scene.js';

const send =
  (body: string | Buffer, type: string): RequestHandler =>
  (_, response) => {
    response.writeHead(200, { 'content-type': type }).end(body);
  };

const start = (
  handler: RequestHandler,
  document: object,
  dependencies: Pick<GatewayDependencies, 'bodies'> = {},
): Promise<DocumentScene> =>
  startDocuments(handler, (address) => ({ one: { document: { url: `${address}/teams`, ...document } } }), dependencies);

const MAP = { 'short-team-name': 'name', 'country-code': 'country', 'phone-numbers': 'phones' };
const EXPECTED = [
  { 'short-team-name': 'ACORN', 'country-code': 'NO', 'phone-numbers': ['+4755500100', '+4755500101'] },
  { 'short-team-name': 'BIRCH', 'country-code': 'AT' },
];
const withSource = (records: readonly object[]): object[] => records.map((one) => ({ ...one, 'source-name': 'one' }));

const YAML = 'teams:\n- name: ACORN\n  country: NO\n  phones:\n  - +4755500100\n  - +4755500101\n- {name: BIRCH, country: AT}\n'; // prettier-ignore
const XML =
  '<teams><team name="ACORN"><country>NO</country><phones>+4755500100</phones><phones>+4755500101</phones></team>' +
  '<team name="BIRCH"><country>AT</country></team></teams>';

const CASES = [
  ['YAML', YAML, 'application/yaml', { records: 'teams[]', map: MAP }],
  ['XML', XML, 'text/xml', { records: 'teams.team[]', map: { ...MAP, 'short-team-name': '"@name"' } }],
] as const;

describe('a document', () => {
  it.each(CASES)('in %s is read by its media type', async (_, body, type, document) => {
    const { gateway, upstream } = await start(send(body, type), document);
    expect((await gateway.get('/directory/v1/teams?pretty=0')).json).toEqual(withSource(EXPECTED));
    expect(upstream.requests[0]?.headers.accept).toContain(type);
  });

  it.each(CASES)('in %s is read in the worker thread, however small it is', async (_, body, type, document) => {
    const bodies = bodyParser({ module: new URL('file:///nowhere/thread.js') });
    const { gateway } = await start(send(body, type), document, { bodies });
    const response = await gateway.get('/directory/v1/teams');
    expect([response.status, response.headers.get('source-status')]).toEqual([502, 'one;state=failed;reason=internal']);
  });

  it.each(CASES)('in %s is an error, and not empty, when an HTML page comes in its place', async (...row) => {
    const [, , type, document] = row;
    for (const page of ['<!DOCTYPE html>\n<html><body>Log in<br></body></html>', '<html><body>Log in</body></html>']) {
      const { gateway } = await start(send(page, type), document);
      const response = await gateway.get('/directory/v1/teams');
      expect([response.status, response.headers.get('source-status')]).toEqual([
        502,
        expect.stringMatching(/state=failed; ?reason=(?:body|schema)/),
      ]);
    }
  });

  it('in XML never makes Rollcall request an address that it names', async () => {
    const { upstream: named } = await start(send('<x/>', 'text/xml'), CASES[1][3]);
    const declarations = [
      `<!DOCTYPE teams [<!ENTITY x SYSTEM "${named.address}/entity">]>`,
      `<!DOCTYPE teams [<!ENTITY % x SYSTEM "${named.address}/entity"> %x;]>`,
      `<!DOCTYPE teams SYSTEM "${named.address}/type.dtd">`,
      `<?xml-stylesheet href="${named.address}/style.xsl"?>`,
    ];
    const statuses: number[] = [];
    for (const declaration of declarations) {
      const { gateway } = await start(send(declaration + XML, 'text/xml'), CASES[1][3]);
      statuses.push((await gateway.get('/directory/v1/teams')).status);
    }
    expect(statuses).toEqual([502, 502, 200, 200]);
    expect(named.requests).toEqual([]);
  });

  it('in CSV has the delimiter and the encoding of its registration, and its faults are findings', async () => {
    const body = Buffer.from('name~country~phone~phone\nZ\xfcri~NO~1~2\n\xc3\xa9~AT~1~2\n', 'latin1');
    const document = { delimiter: '~', encoding: 'utf-8', map: { 'short-team-name': 'name', host: 'phone_2' } };
    const { gateway } = await start(send(body, 'text/csv'), document);
    expect((await gateway.get('/directory/v1/teams?pretty=0&sort=host')).json).toEqual(
      expect.arrayContaining([
        { 'short-team-name': 'Züri', host: '2', 'source-name': 'one' },
        { 'short-team-name': 'é', host: '2', 'source-name': 'one' },
      ]),
    );
    const drained = gateway.log.find(({ message }) => message === 'source drained');
    expect(drained?.facts).toMatchObject({
      findings: { 'mixed-encoding (document)': 1, 'repeated-column phone': 1 },
    });
  });
});
