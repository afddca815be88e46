import type { FindingSink } from '../record/findings.js';

/**
 * Names each column differently (decisions 4.28): by its position without a name, `column_3`; a repeated name gets a
 * number that no other column has, `phone_2`. Counts repetitions in `sink`.
 */
export function nameColumns(header: readonly string[], sink: FindingSink): readonly string[] {
  const written = new Set(header);
  const given = new Set<string>();
  const lastNumbers = new Map<string, number>();
  const numberName = (name: string): string => {
    let number = lastNumbers.get(name) ?? 1;
    do number += 1;
    while (written.has(`${name}_${number}`) || given.has(`${name}_${number}`));
    lastNumbers.set(name, number);
    return `${name}_${number}`;
  };
  return header.map((cell, at) => {
    const name = cell === '' ? `column_${at + 1}` : cell;
    const isRepeated = given.has(name) || (cell === '' && written.has(name));
    if (isRepeated) sink.add(CONTROL_CHARACTER.test(name) ? '(unsafe)' : name, 'repeated-column');
    const unique = isRepeated ? numberName(name) : name;
    given.add(unique);
    return unique;
  });
}

const CONTROL_CHARACTER = /\p{Cc}/u;
