import { describe, expect, it } from 'vitest';
import { LoopFailure, withLoopDetection } from '../../../src/source/client/loop-detection.js';
import { calm, reply, request } from './layers.js';

describe('withLoopDetection', () => {
  it.each([200, 304, 404, 502, 508])(
    'rejects a response of status %i whose Via names the gateway, without reading the body',
    async (status) => {
      const received = reply(status, { via: '1.1 c, 1.1 gateway (squid), 1.1 b' });
      const pending = withLoopDetection(() => Promise.resolve(received), 'gateway')(request(), calm);
      await expect(pending).rejects.toThrow(LoopFailure);
      await expect(pending).rejects.toMatchObject({
        reason: 'loop',
        via: ['c', 'gateway', 'b'],
        message: 'the response passed through this gateway, via c, gateway, b',
      });
      expect(received.discarded).toBe(true);
    },
  );

  it.each([undefined, '1.1 other', '1.1 gateway-2', '1.1 Gateway', '1.1 other (gateway)'])(
    'returns a response with Via: %s',
    async (via) => {
      const received = reply(200, via === undefined ? {} : { via });
      expect(await withLoopDetection(() => Promise.resolve(received), 'gateway')(request(), calm)).toBe(received);
      expect(received.discarded).toBe(false);
    },
  );
});
