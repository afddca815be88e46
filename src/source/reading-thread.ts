import { parentPort } from 'node:worker_threads';
import type { Order, ThreadMessage } from './beside.js';
import { asFailure } from './failure.js';
import { readBody } from './read-body.js';
import type { PackedPage } from './read-body.js';
import { RecordReader } from './record-reader.js';

/** The thread of `Beside`: reads the bodies that it is given, one after the other. */
function main(port: NonNullable<typeof parentPort>): void {
  const readers = new Map<number, RecordReader>();
  const send = (message: ThreadMessage, handedOver: readonly ArrayBuffer[] = []): void => {
    port.postMessage(message, handedOver);
  };
  const read = async ({ nth, reader: from, body, now }: Extract<Order, { body: unknown }>): Promise<void> => {
    const reader = readers.get(from);
    try {
      if (reader === undefined) throw new Error('a page of nobody');
      const bytes = Buffer.from(body.buffer, body.byteOffset, body.length);
      const page = await readBody(bytes, { reader, item: false }, now);
      send({ nth, page }, cellsOf(page));
    } catch (error) {
      const { reason, message } = asFailure(error);
      send({ nth, reason, message });
    }
  };
  let before = Promise.resolve();
  port.on('message', (order: Order) => {
    if ('body' in order) before = before.then(() => read(order));
    else readers.set(order.reader, new RecordReader(order.resource, order.provenance));
  });
  send('ready');
}

function cellsOf({ sheets }: PackedPage): ArrayBuffer[] {
  return sheets.map(({ cells }) => cells.buffer);
}

if (parentPort !== null) main(parentPort);
