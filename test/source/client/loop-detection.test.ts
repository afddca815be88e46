import { describe, expect, it } from 'vitest';
import { LoopFailure, withLoopDetection } from '../../../src/source/client/loop-detection.js';
import { calm, reply, request } from './layers.js';

describe('withoutLoops', () => {
  it.each([200, 304, 404, 502, 508])(
    'ends with a reply of status %i that names the gateway, unread',
    async (status) => {
      const came = reply(status, { via: '1.1 c (behind b), 1.1 house (behind c b), 1.1 b' });
      const asked = withLoopDetection(() => Promise.resolve(came), 'house')(request(), calm);
      await expect(asked).rejects.toThrow(LoopFailure);
      await expect(asked).rejects.toMatchObject({
        reason: 'loop',
        via: ['c (behind b)', 'house (behind c b)', 'b'],
        message: 'the response passed through this gateway, via c (behind b), house (behind c b), b',
      });
      expect(came.discarded).toBe(true);
    },
  );

  it.each([undefined, '1.1 other', '1.1 house-2', '1.1 House', '1.1 other (house)', '1.1 other (behind house)'])(
    'hands on a reply with Via: %s',
    async (via) => {
      const came = reply(200, via === undefined ? {} : { via });
      expect(await withLoopDetection(() => Promise.resolve(came), 'house')(request(), calm)).toBe(came);
      expect(came.discarded).toBe(false);
    },
  );
});
