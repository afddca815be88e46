import { MIN_ENCODED_BYTES, chooseContentCoding, encodeContent } from '../representation/content-coding.js';
import type { ContentCoding } from '../representation/content-coding.js';
import { formatEntityTag, hashRepresentation } from '../representation/validators.js';
import type { HeaderFields } from '../representation/validators.js';

/** Encoded once in each content coding, however often it is sent. */
export class RenderedBody {
  private readonly encodings = new Map<ContentCoding, Promise<Uint8Array>>();
  private readonly encodedBytes = new Map<ContentCoding, Uint8Array>();
  private readonly evictionListeners = new Set<() => void>();
  private tagHash: string | undefined;

  constructor(
    readonly identityBytes: Uint8Array,
    /** SHA-256. */
    private readonly contentHash: Uint8Array,
    /** Encoding does not make the body shorter. */
    private readonly isCompressed: boolean,
    /** Distinguishes bodies of the same name. */
    readonly version = '',
  ) {}

  /** By an Accept-Encoding field (decisions 3.13). */
  chooseCoding(field: string | undefined): ContentCoding {
    return chooseContentCoding(field, !this.isCompressed && this.identityBytes.length >= MIN_ENCODED_BYTES);
  }

  getEncoded(coding: ContentCoding): Promise<Uint8Array> {
    const existing = this.encodings.get(coding);
    if (existing !== undefined) return existing;
    const encoding = encodeContent(this.identityBytes, coding);
    this.encodings.set(coding, encoding);
    encoding.then(
      (bytes) => this.encodedBytes.set(coding, bytes),
      () => this.encodings.delete(coding),
    );
    return encoding;
  }

  /** Undefined where the body is not encoded yet. */
  getEncodedIfReady(coding: ContentCoding): Uint8Array | undefined {
    return coding === 'identity' ? this.identityBytes : this.encodedBytes.get(coding);
  }

  /** Decisions 7.10. All calls pass the same headers and states, because they are part of the body's version. */
  createEntityTag(coding: ContentCoding, headers: HeaderFields, states: string): string {
    this.tagHash ??= hashRepresentation(this.contentHash, headers, states);
    return formatEntityTag(this.tagHash, coding);
  }

  get memoryBytes(): number {
    const encoded = [...this.encodedBytes].filter(([coding]) => coding !== 'identity');
    return encoded.reduce((sum, [, { length }]) => sum + length, this.identityBytes.length);
  }

  onEvicted(listener: () => void): void {
    this.evictionListeners.add(listener);
  }

  /** Called by the cache when the body is no longer cached. */
  notifyEvicted(): void {
    for (const listener of this.evictionListeners) listener();
    this.evictionListeners.clear();
  }
}
