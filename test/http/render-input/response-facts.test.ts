import { describe, expect, it } from 'vitest';
import { createTableMetadata } from '../../../src/http/render-input/response-facts.js';
import { createRenderInput } from '../../../src/render/render-input.js';

describe('the metadata of a table', () => {
  const { facts } = createRenderInput({});

  it('has the address, the total, the date and each source with what is known of it', () => {
    const sources = [
      { sourceName: 'A', state: 'fresh', detail: {}, records: 3 },
      { sourceName: 'B', state: 'failed', reason: 'status', description: 'HTTP status 500', detail: { status: 500 } },
      { sourceName: 'C', state: 'partial', reason: 'too-large', detail: {}, total: 9 },
    ];
    const metadata = createTableMetadata({ ...facts, address: '/teams', total: 3, newest: 0, sources });
    expect([...metadata]).toEqual([
      ['query', '/teams'],
      ['total', 3],
      ['last-modified', 'Thu, 01 Jan 1970 00:00:00 GMT'],
      [
        'sources',
        [
          new Map<string, unknown>([['source-name', 'A'], ['state', 'fresh'], ['records', 3]]), // prettier-ignore
          new Map<string, unknown>([['source-name', 'B'], ['state', 'failed'], ['reason', 'status'], ['status', 500]]), // prettier-ignore
          new Map<string, unknown>([['source-name', 'C'], ['state', 'partial'], ['reason', 'too-large'], ['total', 9]]), // prettier-ignore
        ],
      ],
    ]);
  });

  it('states the access level of members data, and no date where none is known', () => {
    const metadata = createTableMetadata({ ...facts, access: 'members' });
    expect([...metadata.keys()]).toEqual(['query', 'access', 'total', 'sources']);
  });
});
