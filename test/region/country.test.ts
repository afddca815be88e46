import { describe, expect, it } from 'vitest';
import { parseCountryCode, hasCountryAlias } from '../../src/region/country.js';
import { findRegion, regionNames } from '../../src/region/region.js';

/** ISO 3166-1: the 249 officially assigned alpha-2 codes, written down here because CLDR is what is under test. */
const iso = (
  'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ ' +
  'CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR ' +
  'GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP ' +
  'KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT ' +
  'MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW ' +
  'SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG ' +
  'UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW'
).split(' ');

const letters = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ');
const pairs = letters.flatMap((first) => letters.map((second) => first + second));

describe('countryCode', () => {
  it('knows the 249 countries of ISO 3166-1 and Kosovo, reads UK and EL, and knows no other pair of letters', () => {
    expect(new Set(iso).size).toBe(249);
    const known = pairs.filter((pair) => parseCountryCode(pair) !== undefined);
    expect(known).toEqual([...iso, 'XK', 'UK', 'EL'].sort());
    for (const code of [...iso, 'XK']) expect(parseCountryCode(code)).toBe(code);
  });

  it('reads any case and answers in upper case', () => {
    expect(['no', 'No', 'nO', 'NO'].map(parseCountryCode)).toEqual(['NO', 'NO', 'NO', 'NO']);
  });

  it('reads the codes that people write for the United Kingdom and Greece as the ISO ones', () => {
    expect(['UK', 'uk', 'EL', 'eL'].map(parseCountryCode)).toEqual(['GB', 'GB', 'GR', 'GR']);
  });

  it('tells which of the ISO ones those are', () => {
    expect(pairs.filter(hasCountryAlias)).toEqual(['GB', 'GR']);
  });

  it.each(['', 'N', 'NOR', 'EU', 'UN', 'SU', 'AN', '578', '010', ' NO', 'NO ', 'Norway', 'constructor', '__proto__'])(
    'takes %j for no country',
    (text) => {
      expect(parseCountryCode(text)).toBeUndefined();
    },
  );

  it('is not misled by letters whose upper case is another one', () => {
    expect(['ß', 'ıt', 'ﬁ', 'ſe'].map(parseCountryCode)).toEqual([undefined, undefined, undefined, undefined]);
  });

  it('gives what the regions hold: every country is in a region, and nothing else is', () => {
    const placed = new Set(regionNames.flatMap((name) => [...(findRegion(name)?.countries ?? [])]));
    expect([...placed].sort()).toEqual([...iso, 'XK'].sort());
  });
});
