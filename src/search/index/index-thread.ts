import { once } from 'node:events';
import type { MessagePort } from 'node:worker_threads';
import { compareCodePoints } from '../../text/code-point-order.js';
import { IndexBuilder } from './index-builder.js';
import type { FieldTexts } from './field-texts.js';

/** Records in their order. An empty chunk ends the list. */
export interface RecordChunk {
  readonly ids: readonly string[];
  readonly texts: readonly FieldTexts[];
  readonly longIds: readonly string[];
}

/** Chunks are requested from the port one by one, by an empty message. */
export interface IndexTask {
  readonly chunks: MessagePort;
}

export interface BuiltIndex {
  readonly index: SharedArrayBuffer;
  /** Of the indexed texts, in UTF-8. */
  readonly textBytes: number;
  /** At most `MAX_LISTED_IDS` records that have more than is searched. */
  readonly longIds: readonly string[];
}

export default async function buildIndex({ chunks }: IndexTask): Promise<BuiltIndex> {
  const assembly = new IndexAssembly();
  for (;;) {
    const received = once(chunks, 'message');
    chunks.postMessage(undefined);
    // Messages between threads are untyped; the other end of the port guarantees the type.
    const [chunk] = (await received) as [RecordChunk];
    if (chunk.ids.length === 0) return assembly.finish();
    assembly.add(chunk);
  }
}

/** Enough to find out what is wrong with them. */
const MAX_LISTED_IDS = 3;

export class IndexAssembly {
  private readonly builder = new IndexBuilder();
  private readonly ids: string[] = [];
  private textBytes = 0;
  private readonly longIds: string[] = [];

  add({ ids, texts, longIds }: RecordChunk): void {
    this.longIds.push(...longIds.slice(0, MAX_LISTED_IDS - this.longIds.length));
    this.ids.push(...ids);
    for (const ofRecord of texts) {
      this.builder.add(ofRecord);
      for (const text of ofRecord) this.textBytes += Buffer.byteLength(text);
    }
  }

  finish(): BuiltIndex {
    const { ids, textBytes, longIds } = this;
    const positions = [...ids.keys()].sort((a, b) => compareCodePoints(ids[a] ?? '', ids[b] ?? ''));
    return { index: this.builder.finish(Uint32Array.from(positions)), textBytes, longIds };
  }
}
