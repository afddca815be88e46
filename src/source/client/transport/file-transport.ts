import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { formatImfFixdate } from '../../../text/date.js';
import { SourceFailure } from '../source-failure.js';
import type { HttpResponse, Transport } from '../http-client-types.js';

/**
 * As from a web server (operation 2.8.16), with an entity tag and the time of last change, so an unchanged file is a
 * 304. Rejects with a `SourceFailure` (`connect`) without a readable file.
 */
export const fileTransport: Transport = async ({ url, headers }, signal) => {
  signal.throwIfAborted();
  const file = await open(url, constants.O_RDONLY | constants.O_NONBLOCK).catch(failToRead);
  try {
    const stats = await file.stat();
    // A pipe or a device might never end. Opening a pipe would wait for its writer, but for `O_NONBLOCK`.
    if (!stats.isFile()) throw new SourceFailure('connect', 'the document is not a regular file');
    const etag = `"${stats.ino}-${stats.size}-${stats.mtimeMs}"`;
    const fields = new Map([
      ['etag', etag],
      ['last-modified', formatImfFixdate(stats.mtimeMs)],
    ]);
    if (headers['if-none-match'] === etag) {
      await file.close();
      return new FileResponse(304, fields, undefined);
    }
    return new FileResponse(200, fields, file);
  } catch (error) {
    await file.close();
    throw error;
  }
};

/** By its code: the message contains the path. */
function failToRead(error: unknown): never {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
  throw new SourceFailure('connect', `the file of the document cannot be opened: ${code}`, { cause: error });
}

class FileResponse implements HttpResponse {
  constructor(
    readonly status: number,
    private readonly fields: ReadonlyMap<string, string>,
    /** Undefined without a body. */
    private readonly file: FileHandle | undefined,
  ) {}

  header(name: string): string | undefined {
    return this.fields.get(name);
  }

  async readBytes(most: number): Promise<Buffer> {
    const chunks: Buffer[] = [];
    let length = 0;
    for await (const chunk of this.openStream()) {
      length += chunk.length;
      if (length > most) throw new SourceFailure('size', `a body of more than ${most} bytes`);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks, length);
  }

  /** Closes the file at its end, and where reading stops early. */
  private openStream(): AsyncIterable<Buffer> | readonly Buffer[] {
    return this.file?.createReadStream() ?? [];
  }

  async discard(): Promise<void> {
    await this.file?.close().catch(() => undefined);
  }
}
