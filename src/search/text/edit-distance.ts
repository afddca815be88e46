/**
 * Returns the number of typing errors between two words: letters left out, added, replaced, or swapped with their
 * neighbour (optimal string alignment). A number above `most` is returned as `most + 1`. `other` is read from `from` on,
 * `otherLength` code units.
 */
export function countTypingErrors(
  word: Uint16Array,
  { units, from, length }: { readonly units: Uint16Array; readonly from: number; readonly length: number },
  most: number,
): number {
  if (Math.abs(word.length - length) > most) return most + 1;
  let [before, previous, current] = rows;
  for (let column = 0; column <= length; column += 1) previous[column] = column;
  for (let row = 1; row <= word.length; row += 1) {
    current[0] = row;
    let least = row;
    const unit = word[row - 1];
    for (let column = 1; column <= length; column += 1) {
      const other = units[from + column - 1];
      let errors = Math.min(
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (previous[column - 1] ?? 0) + (unit === other ? 0 : 1),
      );
      const isSwapped =
        row > 1 && column > 1 && unit === units[from + column - 2] && word[row - 2] === other && unit !== other;
      if (isSwapped) errors = Math.min(errors, (before[column - 2] ?? 0) + 1);
      current[column] = errors;
      if (errors < least) least = errors;
    }
    if (least > most) return most + 1;
    [before, previous, current] = [previous, current, before];
  }
  return Math.min(previous[length] ?? most + 1, most + 1);
}

/** Rows of the table of distances, for words of up to 127 code units. */
const rows: [Uint8Array, Uint8Array, Uint8Array] = [new Uint8Array(128), new Uint8Array(128), new Uint8Array(128)];

/** Number of typing errors in a word that a search tolerates: none in a word with a digit. */
export function toleratedErrors(word: string): number {
  if (word.length < 4 || /\d/.test(word)) return 0;
  return word.length < 8 ? 1 : 2;
}
