import { describe, expect, test } from 'vitest';
import { parseDuration, parseDurationOrNone, parseRate, parseSize } from '../../../src/config/schema/values.js';

describe('parseDuration', () => {
  test.each([
    ['500ms', 500],
    ['5s', 5000],
    ['10m', 600_000],
    ['24h', 86_400_000],
    ['1.5s', 1500],
    ['1.1m', 66_000],
    ['1.005s', 1005],
    ['0.5h', 1_800_000],
    ['576h', 2_073_600_000],
    ['24d', 2_073_600_000],
    ['1.5d', 129_600_000],
  ])('reads %s as %i milliseconds', (text, milliseconds) => {
    expect(parseDuration(text)).toBe(milliseconds);
  });

  test.each([
    '',
    '5',
    's',
    '0s',
    '0.0s',
    '-5s',
    '+5s',
    '5 s',
    '5S',
    '5D',
    '5w',
    '1.5ms',
    '0.0001s',
    '1e3s',
    '.5s',
    '5.s',
  ])('rejects "%s"', (text) => {
    expect(parseDuration(text)).toBeUndefined();
  });

  test.each(['577h', '25d', '2147483648ms', '99999999999999999999s', `1.${'0'.repeat(400)}s`])(
    'rejects %s, which exceeds the range of timers',
    (text) => {
      expect(parseDuration(text)).toBeUndefined();
    },
  );
});

describe('parseDurationOrNone', () => {
  test.each([
    ['0s', 0],
    ['0ms', 0],
    ['0h', 0],
    ['0d', 0],
    ['0', 0],
    ['5s', 5000],
  ])('reads %s as %i milliseconds', (text, milliseconds) => {
    expect(parseDurationOrNone(text)).toBe(milliseconds);
  });

  test.each(['', '00', '00s', '0.0s', '-0s', '0w', '577h'])('rejects "%s"', (text) => {
    expect(parseDurationOrNone(text)).toBeUndefined();
  });
});

describe('parseSize', () => {
  test.each([
    ['1', 1],
    ['4096', 4096],
    ['512KiB', 524_288],
    ['32MiB', 33_554_432],
    ['1.5GiB', 1_610_612_736],
  ])('reads %s as %i bytes', (text, bytes) => {
    expect(parseSize(text)).toBe(bytes);
  });

  test.each(['', '0', '0MiB', '-1', '16MB', '16mib', '16 MiB', '1.5', '0.3KiB', '9999999999GiB', 'MiB'])(
    'rejects "%s"',
    (text) => {
      expect(parseSize(text)).toBeUndefined();
    },
  );
});

describe('parseRate', () => {
  test.each([
    ['1/1s', 1, 1000],
    ['600/1m', 600, 60_000],
    ['999999999/1.5h', 999_999_999, 5_400_000],
    ['10/1ms', 10, 1],
  ])('reads %s as %i requests in %i milliseconds', (text, requests, period) => {
    expect(parseRate(text)).toEqual({ requests, period });
  });

  test.each([
    '',
    '/',
    '1',
    '1/',
    '/1s',
    '0/1s',
    '01/1s',
    '-1/1s',
    '1.5/1s',
    '1000000000/1s',
    '1/0s',
    '1/1',
    '1 / 1s',
    '1/1s/1s',
    '1/577h',
  ])('rejects "%s"', (text) => {
    expect(parseRate(text)).toBeUndefined();
  });
});
