import type { Texts } from '../hold/texts.js';
import type { LastingList, Node } from '../model/document.js';
import type { HeldRecord } from '../model/record.js';
import type { Projector } from './project.js';

/** Records as they are shown, each as it is read: a long list is never there twice. */
export class ShownRecords implements LastingList {
  constructor(
    private readonly records: readonly HeldRecord[],
    private readonly show: Projector,
    /** What was written of such records, shown as they are here, in a way of this name. */
    private readonly texts: (way: string) => Texts,
  ) {}

  *[Symbol.iterator](): Generator<ReadonlyMap<string, Node>, void, undefined> {
    for (const record of this.records) yield this.show(record);
  }

  *written(way: string, write: (item: Node) => Iterable<string>): Generator<Uint8Array, void, undefined> {
    const texts = this.texts(way);
    for (const record of this.records) {
      const known = texts.get(record);
      if (known !== undefined) {
        yield known;
        continue;
      }
      const pieces: Uint8Array[] = [];
      for (const piece of write(this.show(record))) {
        const bytes = Buffer.from(piece);
        pieces.push(bytes);
        yield bytes;
      }
      texts.keep(record, pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : Buffer.concat(pieces));
    }
  }
}
