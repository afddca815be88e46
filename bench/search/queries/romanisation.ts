import type { DemoTeam } from './demo-team.js';

/**
 * Letters and groups of letters as people write them in Latin letters: for Cyrillic as on road signs of the country,
 * for Greek as in ELOT 743. Longer groups come first.
 */
const CYRILLIC =
  'а=a б=b в=v г=g д=d е=e ж=zh з=z и=i й=y к=k л=l м=m н=n о=o п=p р=r с=s т=t у=u ф=f х=h ц=ts ч=ch ш=sh ю=yu я=ya';
const tables: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map(
  [
    ['BG', `${CYRILLIC} щ=sht ъ=a ь=y`],
    ['UA', `${CYRILLIC} г=h ґ=g є=ie и=y і=i ї=yi й=i х=kh щ=shch ю=iu я=ia ь=`],
    ['KZ', `${CYRILLIC} ғ=g қ=q ң=n ө=o ұ=u ү=u һ=h ә=a і=i ы=y й=i щ=shch ъ= ь=`],
    [
      'GR',
      'ου=ou αυ=av ευ=ev μπ=b ντ=nt γγ=ng α=a β=v γ=g δ=d ε=e ζ=z η=i θ=th ι=i κ=k λ=l μ=m ν=n ξ=x ο=o π=p ρ=r σ=s ς=s τ=t υ=y φ=f χ=ch ψ=ps ω=o',
    ],
  ].map(([country = '', table = '']) => [country, new Map(table.split(' ').map(readRow))]),
);

function readRow(row: string): readonly [string, string] {
  const [letters = '', latin = ''] = row.split('=');
  return [letters, latin];
}

/** The lower-case name of a team in Latin letters; unchanged if its country writes Latin letters or another script. */
export function romanise(name: string, { country }: Pick<DemoTeam, 'country'>): string {
  const table = tables.get(country);
  if (table === undefined) return name;
  const bare = name.normalize('NFD').replaceAll('\u0301', '').normalize('NFC');
  return bare.replaceAll(new RegExp([...table.keys()].join('|'), 'g'), (letters) => table.get(letters) ?? letters);
}
