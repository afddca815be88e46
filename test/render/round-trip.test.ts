import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { isMapNode } from '../../src/model/document-node.js';
import type { DocumentNode } from '../../src/model/document-node.js';
import { renderJsonp } from '../../src/render/formats.js';
import { answers, bytes, describeRoundTrip, hostile } from './round-trip.js';
import { readByNode } from '../support/formats/format-readers.js';

describeRoundTrip(readByNode, 5);

function plain(node: DocumentNode): unknown {
  if (typeof node !== 'object') return node;
  if (!isMapNode(node)) return [...node].map(plain);
  return Object.fromEntries([...node].map(([name, value]) => [name, plain(value)]));
}

describe('JSON and JSONP', () => {
  test.each(Object.entries(answers(hostile)))('restore %s', async (_, answer) => {
    const json: unknown = JSON.parse(Buffer.from(await bytes('json', { document: answer() })).toString());
    const script = [...renderJsonp(answer(), { pretty: false }, 'take')].join('');
    const passed: unknown = runInNewContext(`const take = JSON.stringify; ${script}`, {});
    expect(passed).toBe(JSON.stringify(json));
    expect(script).not.toMatch(/[\u2028\u2029]/);
    expect(JSON.stringify(json)).toBe(JSON.stringify(plain(answer())));
  });
});
