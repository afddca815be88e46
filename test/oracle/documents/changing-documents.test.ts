import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fakeClock } from '../../support/fake-clock.js';
import { startGateway } from '../../support/gateway/test-gateway.js';
import type { GatewayResponse } from '../../support/gateway/test-gateway.js';
import { boundShrinking, generatedRuns } from '../../support/generated-runs.js';
import { withValidators } from '../../support/upstream/conditional-responses.js';
import * as faulty from '../../support/upstream/faulty-responses.js';
import { startUpstream } from '../../support/upstream/upstream-server.js';
import type { RequestHandler, UpstreamRequest } from '../../support/upstream/upstream-server.js';
import { DocumentHistory } from '../model/document-history.js';
import { DIRECTORY_TEAMS, ORACLE_RESOURCES } from '../model/oracle-resources.js';
import { REGISTERED_PROPERTIES } from '../random-raw-records.js';
import { listedRecords } from '../start-sources.js';
import { changeDocument, documentHistory } from './changed-documents.js';
import type { DocumentFault } from './changed-documents.js';
import { randomDocument } from './random-documents.js';
import type { GeneratedDocument } from './random-documents.js';
import { registerDocument, serveDocument } from './serve-document.js';

const CODE = 'one';

const SOURCE = { code: CODE, number: 1, sourceName: 'One', aggregate: false, site: undefined };

/** The reason for which each fault makes the source fail. */
const REASONS: Readonly<Record<DocumentFault, string>> = {
  html: 'body',
  'no list': 'schema',
  error: 'status',
  'second gone': 'status',
};

/** A document as it is served at one time. */
interface ServedDocument {
  readonly document: GeneratedDocument;
  readonly size: number;
  readonly fault: DocumentFault | undefined;
}

const isSecond = ({ path }: UpstreamRequest): boolean => path.endsWith('/second');

function serve({ document, size, fault }: ServedDocument): RequestHandler {
  const good = serveDocument(document, size, {});
  if (fault === undefined) return good;
  if (fault === 'second gone') return faulty.when(isSecond, faulty.status(410), good);
  const bad = {
    html: faulty.body('<!doctype html>'),
    'no list': faulty.body('{"error":"none"}'),
    error: faulty.status(500),
  };
  return faulty.when(isSecond, good, bad[fault]);
}

/** Adds an entity tag to each of the two documents that changes with its entries. */
function tagged(served: ServedDocument): RequestHandler {
  const { document, fault } = served;
  return withValidators(serve(served), (request) => {
    const entries = isSecond(request) ? [document.second?.entries, fault === 'second gone'] : [document.entries, fault];
    const digest = createHash('sha256')
      .update(JSON.stringify([entries, request.query.toString()]))
      .digest('hex');
    return { etag: `"${digest}"` };
  });
}

it('serves a document, or its last records where it has another shape, as the oracle does', async () => {
  const property = fc.asyncProperty(
    randomDocument(CODE),
    fc.record({ size: fc.constantFrom(3, 7, 100), isTagged: fc.boolean() }),
    documentHistory,
    async (document, { size, isTagged }, history) => {
      const resource = ORACLE_RESOURCES.find(({ name }) => name === document.resource) ?? DIRECTORY_TEAMS;
      const upstream = await startUpstream(faulty.status(500));
      const clock = fakeClock();
      const registered = { document: registerDocument(document, upstream.address), 'source-name': 'One' };
      const gateway = await startGateway(
        {
          defaults: { 'stale-while-revalidate': '0s', retries: 0 },
          sources: { [CODE]: { ...registered, properties: REGISTERED_PROPERTIES } },
        },
        { clock, suspension: { failures: 1_000, cooldown: 30_000 } },
      );
      try {
        const expected = new DocumentHistory(resource, SOURCE);
        for (const { change, fault: drawn, wait } of history) {
          const fault = drawn === 'second gone' && document.second === undefined ? 'error' : drawn;
          const served = { document: changeDocument(document, change), size, fault };
          upstream.handler = (isTagged ? tagged : serve)(served);
          clock.advance(wait);
          const answer = expected.request(served.document, fault && REASONS[fault], clock.now());
          const response = await gateway.get(`${resource.list}?envelope=false&limit=10000`);
          expect({ change, fault, wait, ...readAnswer(response) }).toEqual({
            ...{ change, fault, wait, state: answer.state, reason: answer.reason },
            data: answer.data.map((record) => JSON.stringify(record)),
          });
        }
      } finally {
        await gateway.close();
        await upstream.close();
      }
    },
  );
  await fc.assert(boundShrinking(property), { numRuns: generatedRuns({ usual: 12, long: 200 }) });
});

function readAnswer(response: GatewayResponse): object {
  const status = response.headers.get('source-status') ?? '';
  const [, state, , reason] = /^one;state=([a-z]+)(;reason=([a-z-]+))?/.exec(status) ?? [];
  const data = response.status === 200 ? listedRecords(response).map((record) => JSON.stringify(record)) : [];
  return { state, reason, data };
}
