import { MIN_ENCODED_BYTES, chooseContentCoding, encodeContent } from '../representation/content-coding.js';
import type { ContentCoding } from '../representation/content-coding.js';
import { formatEntityTag, hashRepresentation } from '../representation/validators.js';
import type { HeaderFields } from '../representation/validators.js';

/** A body that was rendered once. It is coded once in each coding, and hashed once, however often it is sent. */
export class RenderedBody {
  private readonly encodings = new Map<ContentCoding, Promise<Uint8Array>>();
  private readonly encodedBytes = new Map<ContentCoding, Uint8Array>();
  private readonly evictionListeners = new Set<() => void>();
  private hash: string | undefined;

  constructor(
    readonly identityBytes: Uint8Array,
    /** Whether it is dense already, so that no coding makes it shorter. */
    private readonly isCompressed: boolean,
    /** Tells it from other bodies of the same name. */
    readonly version = '',
  ) {}

  /** The coding that an Accept-Encoding field asks for. */
  chooseCoding(field: string | undefined): ContentCoding {
    return chooseContentCoding(field, !this.isCompressed && this.identityBytes.length >= MIN_ENCODED_BYTES);
  }

  /** Its bytes in a coding. */
  getEncoded(coding: ContentCoding): Promise<Uint8Array> {
    const known = this.encodings.get(coding);
    if (known !== undefined) return known;
    const encoding = encodeContent(this.identityBytes, coding);
    this.encodings.set(coding, encoding);
    encoding.then(
      (bytes) => this.encodedBytes.set(coding, bytes),
      () => this.encodings.delete(coding),
    );
    return encoding;
  }

  /** Its bytes in a coding, where they are at hand. */
  getEncodedIfReady(coding: ContentCoding): Uint8Array | undefined {
    return coding === 'identity' ? this.identityBytes : this.encodedBytes.get(coding);
  }

  /** The entity tag in a coding; what its headers and states say beside it belongs to its edition, and is always the same. */
  createEntityTag(coding: ContentCoding, headers: HeaderFields, states: string): string {
    this.hash ??= hashRepresentation(this.identityBytes, headers, states);
    return formatEntityTag(this.hash, coding);
  }

  /** Bytes that it takes. */
  get memoryBytes(): number {
    const coded = [...this.encodedBytes].filter(([coding]) => coding !== 'identity');
    return coded.reduce((sum, [, { length }]) => sum + length, this.identityBytes.length);
  }

  /** Has something done when it is held no longer. */
  onEvicted(act: () => void): void {
    this.evictionListeners.add(act);
  }

  /** Tells it that it is held no longer. */
  notifyEvicted(): void {
    for (const act of this.evictionListeners) act();
    this.evictionListeners.clear();
  }
}
