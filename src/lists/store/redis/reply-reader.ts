/** Reads the items of a reply in their order. Throws where one is missing or of another type than expected. */
export class ReplyReader {
  private readonly items: readonly unknown[];
  private at = 0;

  constructor(reply: unknown) {
    if (!Array.isArray(reply)) throw unexpectedReply();
    this.items = reply;
  }

  get isEmpty(): boolean {
    return this.at >= this.items.length;
  }

  bytes(): Buffer {
    const item = this.next();
    if (!Buffer.isBuffer(item)) throw unexpectedReply();
    return item;
  }

  text(): string {
    return this.bytes().toString();
  }

  private next(): unknown {
    this.at += 1;
    return this.items[this.at - 1];
  }
}

function unexpectedReply(): Error {
  return new Error('Redis sent an unexpected reply');
}
