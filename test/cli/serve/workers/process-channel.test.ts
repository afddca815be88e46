import { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';
import { ProcessChannel } from '../../../../src/cli/serve/workers/process-channel.js';

/** The end of a connection between two processes, whose messages arrive as the other end sends them. */
class FakePeer extends EventEmitter {
  other: FakePeer | undefined;
  connected = true;

  isConnected(): boolean {
    return this.connected;
  }

  send(message: unknown): boolean {
    const clone: unknown = structuredClone(message);
    queueMicrotask(() => this.other?.emit('message', clone));
    return true;
  }

  disconnect(): void {
    this.connected = false;
    this.emit('disconnect');
  }
}

function connect(handle: (request: unknown) => Promise<unknown>): { peer: FakePeer; channel: ProcessChannel } {
  const [peer, other] = [new FakePeer(), new FakePeer()];
  [peer.other, other.other] = [other, peer];
  new ProcessChannel(other, handle);
  return { peer, channel: new ProcessChannel(peer, () => Promise.resolve(undefined)) };
}

it('answers each request, in any order, and passes errors on', async () => {
  const { channel } = connect(async (request) => {
    if (JSON.stringify(request) === '{"type":"bad"}') throw new Error('no such request');
    await Promise.resolve();
    return [request];
  });
  const [one, two, bad] = await Promise.allSettled(
    ['one', 'two', 'bad'].map((type) => channel.request({ type }, 10_000)),
  );
  expect(one).toEqual({ status: 'fulfilled', value: [{ type: 'one' }] });
  expect(two).toEqual({ status: 'fulfilled', value: [{ type: 'two' }] });
  expect(bad).toMatchObject({ status: 'rejected', reason: { message: 'no such request' } });
});

it('does not wait longer than allowed, nor for a process that has ended', async () => {
  const { channel, peer } = connect(() => new Promise(() => undefined));
  await expect(channel.request({}, 1)).rejects.toThrow('no answer within 1 ms');
  const waiting = channel.request({}, 60_000);
  peer.disconnect();
  await expect(waiting).rejects.toThrow('the process has ended');
  await expect(channel.request({}, 60_000)).rejects.toThrow('the process has ended');
});

it.each([undefined, 'text', {}, { id: '1', kind: 'result' }, { id: 1, kind: 'other' }, { id: 99, kind: 'result' }])(
  'ignores the message %j',
  async (message) => {
    const { channel, peer } = connect(() => Promise.resolve('answer'));
    peer.emit('message', message);
    expect(await channel.request({}, 10_000)).toBe('answer');
  },
);
