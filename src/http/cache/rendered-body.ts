import { MIN_ENCODED_BYTES, chooseContentCoding, encodeContent } from '../representation/content-coding.js';
import type { ContentCoding } from '../representation/content-coding.js';
import { formatEntityTag, hashRepresentation } from '../representation/validators.js';
import type { HeaderFields } from '../representation/validators.js';

/** A rendered body. It is encoded once in each content coding, however often it is sent. */
export class RenderedBody {
  private readonly encodings = new Map<ContentCoding, Promise<Uint8Array>>();
  private readonly encodedBytes = new Map<ContentCoding, Uint8Array>();
  private readonly evictionListeners = new Set<() => void>();
  private tagHash: string | undefined;

  constructor(
    readonly identityBytes: Uint8Array,
    /** SHA-256 of the bytes. */
    private readonly contentHash: Uint8Array,
    /** Whether the format is compressed already, so that encoding does not make it shorter. */
    private readonly isCompressed: boolean,
    /** Distinguishes this body from others of the same name. */
    readonly version = '',
  ) {}

  /** Selects a content coding by an Accept-Encoding field (decisions 3.13). */
  chooseCoding(field: string | undefined): ContentCoding {
    return chooseContentCoding(field, !this.isCompressed && this.identityBytes.length >= MIN_ENCODED_BYTES);
  }

  /** The bytes in a content coding. */
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

  /** The bytes in a content coding, where they are encoded already. */
  getEncodedIfReady(coding: ContentCoding): Uint8Array | undefined {
    return coding === 'identity' ? this.identityBytes : this.encodedBytes.get(coding);
  }

  /**
   * The entity tag of the body in a content coding (decisions 7.10). All calls pass the same headers and states,
   * because they are part of the body's version.
   */
  createEntityTag(coding: ContentCoding, headers: HeaderFields, states: string): string {
    this.tagHash ??= hashRepresentation(this.contentHash, headers, states);
    return formatEntityTag(this.tagHash, coding);
  }

  /** Size of the bytes in all codings. */
  get memoryBytes(): number {
    const encoded = [...this.encodedBytes].filter(([coding]) => coding !== 'identity');
    return encoded.reduce((sum, [, { length }]) => sum + length, this.identityBytes.length);
  }

  /** Calls `act` when the body is no longer cached. */
  onEvicted(listener: () => void): void {
    this.evictionListeners.add(listener);
  }

  /** Calls the functions of {@link onEvicted}. The cache calls this when the body is no longer cached. */
  notifyEvicted(): void {
    for (const listener of this.evictionListeners) listener();
    this.evictionListeners.clear();
  }
}
