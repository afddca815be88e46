/** What distinguishes the envelopes of the interfaces (interfaces.md, section 4; decisions.md, section 2). */
export interface Interface {
  readonly name: 'directory' | 'data';
  /** Of the envelope and of X-Version. */
  readonly version: string;
  /** Name of the envelope property that holds the HTTP status: the interfaces differ in it on purpose. */
  readonly statusCode: string;
}

/** Interface A: teams. */
export const directoryInterface: Interface = { name: 'directory', version: '1.0', statusCode: 'status_code' };

/** Interface B: teams, news, channels. */
export const dataInterface: Interface = { name: 'data', version: '1', statusCode: 'status-code' };
