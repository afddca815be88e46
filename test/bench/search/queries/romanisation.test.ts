import { describe, expect, it } from 'vitest';
import { romanise } from '../../../../bench/search/queries/romanisation.js';
import { countries } from '../../../../config/demo/generator/countries.js';
import { plain } from '../../../../config/demo/generator/languages.js';

const places = countries
  .filter(({ code }) => ['BG', 'UA', 'KZ', 'GR'].includes(code))
  .flatMap(({ code, places: all }) => all.map(({ native, latin }) => [native, code, latin] as const));

describe('romanise', () => {
  it.each(places)('writes %s (%s) as %s, like the e-mail addresses of the demo', (native, country, latin) => {
    expect(romanise(native.toLowerCase(), { country })).toBe(plain(latin).toLowerCase());
  });

  it('leaves names of other countries unchanged', () => {
    expect(romanise('黒波 university', { country: 'JP' })).toBe('黒波 university');
  });
});
