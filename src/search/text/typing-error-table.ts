/**
 * Typing errors between a word and the beginnings of a text that changes from some unit on, as sorted words do: rows of
 * the units before are kept. Errors are letters left out, added, replaced, or swapped with their neighbour (optimal
 * string alignment). Numbers above `most` are not exact.
 */
export class TypingErrorTable {
  /** Code units of the text that have a row. */
  length = 0;
  private readonly word: Uint16Array;
  private readonly width: number;
  /** Row `n`: errors between the first `n` units of the text and each beginning of the word. */
  private readonly rows: Uint8Array;
  private readonly units: Uint16Array;

  /** Above `most` errors the text is of no interest. */
  constructor(
    word: string,
    private readonly most: number,
  ) {
    this.word = Uint16Array.from({ length: word.length }, (_, at) => word.charCodeAt(at));
    this.width = word.length + 1;
    // A text that is longer than the word by more than `most` units has too many errors.
    const longest = word.length + most + 1;
    this.rows = new Uint8Array((longest + 1) * this.width);
    this.units = new Uint16Array(longest);
    for (let column = 0; column < this.width; column += 1) this.rows[column] = Math.min(column, most + 1);
  }

  hasUnit(at: number, unit: number): boolean {
    return at < this.length && this.units[at] === unit;
  }

  /**
   * The units before must be set. Returns the least number of errors of a text that begins so. Only the columns near
   * the diagonal can have `most` errors or fewer.
   */
  setUnit(at: number, unit: number): number {
    const { most, width, rows, word, units } = this;
    units[at] = unit;
    const row = at + 1;
    const [current, previous, before] = [row * width, at * width, (at - 1) * width];
    let least = row <= most ? row : most + 1;
    rows[current] = least;
    const first = Math.max(1, row - most);
    const last = Math.min(width - 1, row + most);
    if (first > 1) rows[current + first - 1] = most + 1;
    for (let column = first; column <= last; column += 1) {
      const other = word[column - 1];
      const replaced = (rows[previous + column - 1] ?? 0) + (unit === other ? 0 : 1);
      const removed = (rows[previous + column] ?? 0) + 1;
      const added = (rows[current + column - 1] ?? 0) + 1;
      let errors = replaced < removed ? replaced : removed;
      if (added < errors) errors = added;
      if (at > 0 && column > 1 && unit === word[column - 2] && units[at - 1] === other && unit !== other) {
        const swapped = (rows[before + column - 2] ?? 0) + 1;
        if (swapped < errors) errors = swapped;
      }
      rows[current + column] = errors;
      if (errors < least) least = errors;
    }
    if (last < width - 1) rows[current + last + 1] = most + 1;
    return least;
  }

  get errors(): number {
    const errors = this.rows[this.length * this.width + this.width - 1] ?? 0;
    // Of a text that is much shorter than the word, the last column is not computed.
    return Math.abs(this.length - this.width + 1) > this.most ? this.most + 1 : errors;
  }
}
