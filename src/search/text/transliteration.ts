import { normalizeText } from '../../text/text-folding.js';

/** Letters that are also written as two letters, where the letter itself is not at hand. */
const LATIN: Readonly<Record<string, string>> = {
  ...{ ä: 'ae', ö: 'oe', ü: 'ue', å: 'aa', ø: 'oe', œ: 'oe', đ: 'dj', ð: 'd', ŋ: 'ng', ə: 'e', ħ: 'h', ŧ: 't' },
};

/** The common ground of BGN/PCGN and ICAO 9303, for names. */
const CYRILLIC: Readonly<Record<string, string>> = {
  ...{ а: 'a', б: 'b', в: 'v', г: 'g', д: 'd', е: 'e', ё: 'e', ж: 'zh', з: 'z', и: 'i', й: 'y', к: 'k', л: 'l' },
  ...{ м: 'm', н: 'n', о: 'o', п: 'p', р: 'r', с: 's', т: 't', у: 'u', ф: 'f', х: 'kh', ц: 'ts', ч: 'ch', ш: 'sh' },
  ...{ щ: 'shch', ъ: '', ы: 'y', ь: '', э: 'e', ю: 'yu', я: 'ya', і: 'i', ї: 'i', є: 'ie', ґ: 'g', ў: 'u' },
  ...{ ђ: 'dj', ј: 'j', љ: 'lj', њ: 'nj', ћ: 'c', џ: 'dz', ѓ: 'g', ќ: 'k', ѕ: 'dz' },
};

/** ELOT 743, accents removed. */
const GREEK: Readonly<Record<string, string>> = {
  ...{ α: 'a', β: 'v', γ: 'g', δ: 'd', ε: 'e', ζ: 'z', η: 'i', θ: 'th', ι: 'i', κ: 'k', λ: 'l', μ: 'm', ν: 'n' },
  ...{ ξ: 'x', ο: 'o', π: 'p', ρ: 'r', σ: 's', ς: 's', τ: 't', υ: 'y', φ: 'f', χ: 'ch', ψ: 'ps', ω: 'o' },
  ...{ ου: 'ou', αυ: 'av', ευ: 'ev', γγ: 'ng', γκ: 'gk', μπ: 'b' },
};

const LETTERS: Readonly<Record<string, string>> = { ...LATIN, ...CYRILLIC, ...GREEK };

/** Pairs of letters come first. */
const TRANSLITERATED = new RegExp(
  Object.keys(LETTERS)
    .sort((a, b) => b.length - a.length)
    .join('|'),
  'g',
);

/**
 * `Müller` as `mueller`, `Киев` as `kiev`. None for a text in which no letter is written otherwise. Folding gives the
 * other common way (`muller`).
 */
export function transliterate(text: string): readonly string[] {
  const lower = normalizeText(text, 'NFC').toLowerCase();
  const plain = lower.replace(GREEK_LETTER, (letter) => letter.normalize('NFD').charAt(0));
  const written = plain.replace(TRANSLITERATED, (letters) => LETTERS[letters] ?? letters);
  return written === plain ? [] : [written];
}

const GREEK_LETTER = /\p{Script=Greek}/gu;
