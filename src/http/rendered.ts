import { SMALLEST, chooseCoding, encode } from './encode.js';
import type { Coding } from './encode.js';
import { entityTag, hashOf } from './validators.js';
import type { Headers } from './validators.js';

/** A body that was rendered once. It is coded once in each coding, and hashed once, however often it is sent. */
export class Rendered {
  private readonly codings = new Map<Coding, Promise<Uint8Array>>();
  private readonly coded = new Map<Coding, Uint8Array>();
  private readonly whenGone = new Set<() => void>();
  private hash: string | undefined;

  constructor(
    readonly plain: Uint8Array,
    /** Whether it is dense already, so that no coding makes it shorter. */
    private readonly dense: boolean,
    /** Tells it from other bodies of the same name. */
    readonly edition = '',
  ) {}

  /** The coding that an Accept-Encoding field asks for. */
  coding(field: string | undefined): Coding {
    return chooseCoding(field, !this.dense && this.plain.length >= SMALLEST);
  }

  /** Its bytes in a coding. */
  in(coding: Coding): Promise<Uint8Array> {
    const known = this.codings.get(coding);
    if (known !== undefined) return known;
    const encoding = encode(this.plain, coding);
    this.codings.set(coding, encoding);
    encoding.then(
      (bytes) => this.coded.set(coding, bytes),
      () => this.codings.delete(coding),
    );
    return encoding;
  }

  /** Its bytes in a coding, where they are at hand. */
  atHand(coding: Coding): Uint8Array | undefined {
    return coding === 'identity' ? this.plain : this.coded.get(coding);
  }

  /** The entity tag in a coding; what its headers and states say beside it belongs to its edition, and is always the same. */
  tag(coding: Coding, headers: Headers, states: string): string {
    this.hash ??= hashOf(this.plain, headers, states);
    return entityTag(this.hash, coding);
  }

  /** Bytes that it takes. */
  get bytes(): number {
    const coded = [...this.coded].filter(([coding]) => coding !== 'identity');
    return coded.reduce((sum, [, { length }]) => sum + length, this.plain.length);
  }

  /** Has something done when it is held no longer. */
  onGone(act: () => void): void {
    this.whenGone.add(act);
  }

  /** Tells it that it is held no longer. */
  gone(): void {
    for (const act of this.whenGone) act();
    this.whenGone.clear();
  }
}
