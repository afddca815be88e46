import { describe, expect, test } from 'vitest';
import { directoryTeams } from '../../../src/model/resources/directory-teams.js';
import { withRedactedFailures } from '../../../src/source/body/redacted-failures.js';
import type { SourceRequest, SourceResponse } from '../../../src/source/body/source-fetch-types.js';
import { SourceFailure } from '../../../src/source/client/source-failure.js';
import { createExpectedBody } from '../../../src/source/body/parse-page-body.js';
import { RecordReader } from '../../../src/source/record/record-reader.js';
import { calm, request } from '../client/layers.js';

const provenance = {
  sourceName: 'One',
  sourceNumber: 1,
  isAggregate: false,
  codes: ['one'],
  registeredCodes: [],
  otherSourceNames: [],
};
const sourceRequest: SourceRequest = {
  ...request(),
  expected: createExpectedBody(new RecordReader(directoryTeams, provenance), { kind: 'list' }, 'application/json'),
};

function fetchOver(next: () => Promise<SourceResponse>): Promise<SourceResponse> {
  return withRedactedFailures({ kind: 'bearer', token: 'hunter2' })(next)(sourceRequest, calm);
}

describe('withRedactedFailures', () => {
  test('redacts the message of a failure, and keeps the failure with its other properties', async () => {
    const failure = new SourceFailure('status', 'refused hunter2', { status: 403, via: ['a'] });
    const caught: unknown = await fetchOver(() => Promise.reject(failure)).catch((error: unknown) => error);
    expect(caught).toBe(failure);
    expect(caught).toMatchObject({ message: 'refused [redacted]', status: 403, via: ['a'] });
  });

  test('redacts the message of any other error, as a failure', async () => {
    const error = Object.assign(new Error('connect hunter2'), { code: 'ECONNREFUSED' });
    await expect(fetchOver(() => Promise.reject(error))).rejects.toMatchObject({
      reason: 'connect',
      message: 'ECONNREFUSED: connect [redacted]',
    });
  });

  test('redacts the failure of a response whose body is not what was requested', async () => {
    const pageOrFailure = new SourceFailure('schema', 'an empty list and an error: hunter2');
    const response = { header: () => undefined, pageOrFailure, bytes: 2, readAt: 0 };
    const reply = await fetchOver(() => Promise.resolve(response));
    expect(reply).toMatchObject({ pageOrFailure: { message: 'an empty list and an error: [redacted]' } });
  });

  test('passes on an error without a secret unchanged', async () => {
    const error = new DOMException('aborted', 'AbortError');
    const caught: unknown = await fetchOver(() => Promise.reject(error)).catch((thrown: unknown) => thrown);
    expect(caught).toBe(error);
  });
});
