import { IncomingMessage, ServerResponse } from 'node:http';
import { expect, it } from 'vitest';
import { keepShapes } from '../../src/operate/shapes.js';

it('keeps a request, an answer and two ticks, and nothing that is made later', async () => {
  const kept = keepShapes();
  await new Promise((resolve) => {
    process.nextTick(resolve, undefined);
  });
  expect(kept.filter((one) => 'callback' in one)).toHaveLength(2);
  expect(kept.filter((one) => one instanceof IncomingMessage)).toHaveLength(1);
  expect(kept.filter((one) => one instanceof ServerResponse)).toHaveLength(1);
  expect(kept).toHaveLength(4);
});
