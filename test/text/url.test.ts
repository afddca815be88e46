import { describe, expect, it } from 'vitest';
import { parseUrl, removeParameter, replaceParameter } from '../../src/text/url.js';

describe('a parameter of a URL', () => {
  it.each([
    ['https://a.example.org/x', 'https://a.example.org/x?p=1%202'],
    ['https://a.example.org/x?q=a%20b', 'https://a.example.org/x?q=a%20b&p=1%202'],
    ['https://a.example.org/x?p=9&q=a+b&p=8', 'https://a.example.org/x?q=a+b&p=1%202'],
  ])('of %s is replaced at the end, and nothing else changes', (before, after) => {
    expect(replaceParameter(new URL(before), 'p', '1 2').href).toBe(after);
  });

  it.each([
    ['/x?p=1', '/x'],
    ['/x?p=1&q=2#p=3', '/x?q=2#p=3'],
    ['?%70=1&q=2', '?q=2'],
    ['/x', '/x'],
  ])('of %s is removed', (before, after) => {
    expect(removeParameter(before, 'p')).toBe(after);
  });
});

it('a text that is no URL is undefined', () => {
  expect(parseUrl('no url')).toBeUndefined();
});
