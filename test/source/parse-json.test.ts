import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJson } from '../../src/source/parse-json.js';

/** White space, which takes a body over the size up to which it is parsed at once. */
const PADDING = ' '.repeat(200 * 1024);

/** Text that makes an item so large that few fit into one part. */
const FILLING = 'é"\\[{,:}]'.repeat(2_000);

const parsed = (text: string): Promise<unknown> => parseJson(Buffer.from(text));

/** Items that are large now and then, so that lists are cut in many places. */
const items = fc.array(fc.oneof(fc.jsonValue(), fc.record({ note: fc.constant(FILLING) })), { maxLength: 40 });

const bodies: fc.Arbitrary<unknown> = fc.oneof(
  items,
  fc.record({ status: fc.constant('OK'), '"data"': fc.jsonValue(), data: items, more: fc.jsonValue() }),
  fc.record({ more: items, data: fc.jsonValue() }),
  fc.record({ more: fc.record({ data: items }) }),
  fc.jsonValue(),
);

describe('a large body', () => {
  it('is what JSON.parse makes of it, wherever its list is cut', async () => {
    await fc.assert(
      fc.asyncProperty(bodies, fc.boolean(), async (body, pretty) => {
        const text = JSON.stringify(body, null, pretty ? 1 : 0) + PADDING;
        expect(await parsed(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  it('is refused where JSON.parse refuses it', async () => {
    const broken = items.chain((list) => {
      const text = JSON.stringify({ data: [...list, { note: FILLING }, { note: FILLING }] });
      return fc.tuple(fc.constant(text), fc.nat(text.length - 1), fc.constantFrom(',', '', ']', '{', '"', '}', '\\'));
    });
    await fc.assert(
      fc.asyncProperty(broken, async ([text, at, instead]) => {
        const spoilt = text.slice(0, at) + instead + text.slice(at + 1) + PADDING;
        const expected = outcome(() => JSON.parse(spoilt) as unknown);
        const found = await parsed(spoilt).then(
          (value) => ({ value }),
          () => 'refused',
        );
        expect(found).toEqual(expected);
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    ['an empty item', `[1,${PADDING},2]`],
    ['an empty item at the end of a part', `["${FILLING.replace(/["\\]/g, '').repeat(8)}",,2]${PADDING}`],
    ['a comma at the end', `[1,2,]${PADDING}`],
    ['a list that does not end', `[1,2${PADDING}`],
    ['a text that does not end', `[1,"${PADDING}`],
    ['a bracket too many', `[1,2]]${PADDING}`],
    ['something behind the list', `[1,2] [3]${PADDING}`],
    ['a byte order mark within it', `[\uFEFF1,2]${PADDING}`],
    ['brackets of two kinds', `[{"a":1],[2}]${PADDING}`],
    ['bytes that are no UTF-8', Buffer.concat([Buffer.from(`["${PADDING}`), Buffer.from([0xe9]), Buffer.from('"]')])],
  ])('is no JSON with %s', async (_what, text) => {
    await expect(parseJson(Buffer.from(text))).rejects.toMatchObject({ reason: 'body' });
  });

  it.each([
    ['nesting of a hundred thousand lists', '['.repeat(100_000)],
    ['a hundred thousand keys in a record', `[{${'"k":1,'.repeat(100_000)}"k":1}]`],
    ['a hundred thousand values beside the list', `{"note":[${'0,'.repeat(100_000)}0],"data":[]}`],
    ['over a million items', `[${'0,'.repeat(1_000_001)}0]`],
  ])('holds too much with %s', async (_what, text) => {
    await expect(parsed(text + PADDING)).rejects.toMatchObject({ reason: 'size' });
  });

  it('is refused with two lists, of which one would be lost', async () => {
    await expect(parsed(`{"data":[1],"data":[2]}${PADDING}`)).rejects.toMatchObject({ reason: 'schema' });
  });

  it('may begin with a byte order mark', async () => {
    expect(await parsed(`\uFEFF[1]${PADDING}`)).toEqual([1]);
  });

  it('keeps no other turn of the event loop waiting while it is parsed', async () => {
    const body = Buffer.from(
      JSON.stringify(Array.from({ length: 20_000 }, (_, id) => ({ id, note: 'x'.repeat(500) }))),
    );
    let turns = 0;
    const count = (): void => {
      turns += 1;
      probe = setImmediate(count);
    };
    let probe = setImmediate(count);
    await parseJson(body);
    clearImmediate(probe);
    expect(turns).toBeGreaterThan(1);
  });
});

function outcome(parse: () => unknown): object | string {
  try {
    return { value: parse() };
  } catch {
    return 'refused';
  }
}
