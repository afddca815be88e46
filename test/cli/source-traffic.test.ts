import { expect, it } from 'vitest';
import { SourceTraffic } from '../../src/cli/source-traffic-recorder.js';
import { createRedaction } from '../../src/source/client/credentials.js';

it('records the targets of requests without the credential that a source repeats in a redirect', async () => {
  const traffic = new SourceTraffic(createRedaction({ kind: 'bearer', token: 'secret-token' }));
  const fetch = traffic.observe('one')(() => Promise.reject(new Error('not sent')));
  for (const target of ['/teams?limit=1', '/moved/secret-token/teams?t=secret%2Dtoken'])
    await fetch({ url: new URL(target, 'https://source.example.org'), headers: {} }, AbortSignal.timeout(1_000)).catch(
      () => undefined,
    );
  expect(traffic.of('one').requests).toEqual(['/teams?limit=1', '/moved/[redacted]/teams?t=[redacted]']);
});
