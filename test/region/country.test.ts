import { describe, expect, it } from 'vitest';
import { parseCountryCode, hasCountryAlias } from '../../src/region/country.js';
import { findRegion, regionNames } from '../../src/region/region.js';

/** The 249 officially assigned alpha-2 codes of ISO 3166-1. They are listed here because the data of CLDR is under test. */
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

describe('parseCountryCode', () => {
  it('accepts the 249 codes of ISO 3166-1, XK, UK and EL, and no other pair of letters', () => {
    expect(new Set(iso).size).toBe(249);
    const known = pairs.filter((pair) => parseCountryCode(pair) !== undefined);
    expect(known).toEqual([...iso, 'XK', 'UK', 'EL'].sort());
    for (const code of [...iso, 'XK']) expect(parseCountryCode(code)).toBe(code);
  });

  it('accepts any case and returns upper case', () => {
    expect(['no', 'No', 'nO', 'NO'].map(parseCountryCode)).toEqual(['NO', 'NO', 'NO', 'NO']);
  });

  it('maps UK and EL to the ISO codes of the United Kingdom and Greece', () => {
    expect(['UK', 'uk', 'EL', 'eL'].map(parseCountryCode)).toEqual(['GB', 'GB', 'GR', 'GR']);
  });

  it('has an alias for GB and GR only, as hasCountryAlias reports', () => {
    expect(pairs.filter(hasCountryAlias)).toEqual(['GB', 'GR']);
  });

  it.each(['', 'N', 'NOR', 'EU', 'UN', 'SU', 'AN', '578', '010', ' NO', 'NO ', 'Norway', 'constructor', '__proto__'])(
    'rejects %j',
    (text) => {
      expect(parseCountryCode(text)).toBeUndefined();
    },
  );

  it('rejects other letters whose upper case is ASCII', () => {
    expect(['ß', 'ıt', 'ﬁ', 'ſe'].map(parseCountryCode)).toEqual([undefined, undefined, undefined, undefined]);
  });

  it('accepts exactly the countries of all regions', () => {
    const placed = new Set(regionNames.flatMap((name) => [...(findRegion(name)?.countries ?? [])]));
    expect([...placed].sort()).toEqual([...iso, 'XK'].sort());
  });
});
