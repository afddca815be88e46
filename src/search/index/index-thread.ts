import { once } from 'node:events';
import type { MessagePort } from 'node:worker_threads';
import { compareCodePoints } from '../../text/code-point-order.js';
import { IndexBuilder } from './index-builder.js';
import type { FieldTexts } from './field-texts.js';

/** Some records that are indexed, in their order. An empty chunk ends the list. */
export interface RecordChunk {
  readonly ids: readonly string[];
  readonly texts: readonly FieldTexts[];
  /** Whether a record has more than is searched. */
  readonly isCut: boolean;
}

/** A list that is indexed. Its chunks are requested from the port one by one, by an empty message. */
export interface IndexTask {
  readonly chunks: MessagePort;
}

/** An index, and what it was made of. */
export interface BuiltIndex {
  readonly index: SharedArrayBuffer;
  /** Bytes of the texts that it indexes, in UTF-8. */
  readonly textBytes: number;
  /** Whether a record has more than is searched: no hit does not mean that no record has it. */
  readonly isCut: boolean;
}

/** Entry point of the worker thread that builds indexes. */
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

/** Builds an index from chunks of records. */
export class IndexAssembly {
  private readonly builder = new IndexBuilder();
  private readonly ids: string[] = [];
  private textBytes = 0;
  private isCut = false;

  add({ ids, texts, isCut }: RecordChunk): void {
    this.isCut ||= isCut;
    this.ids.push(...ids);
    for (const ofRecord of texts) {
      this.builder.add(ofRecord);
      for (const text of ofRecord) this.textBytes += Buffer.byteLength(text);
    }
  }

  finish(): BuiltIndex {
    const { ids, textBytes, isCut } = this;
    const positions = [...ids.keys()].sort((a, b) => compareCodePoints(ids[a] ?? '', ids[b] ?? ''));
    return { index: this.builder.finish(Uint32Array.from(positions)), textBytes, isCut };
  }
}
