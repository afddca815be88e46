/** What distinguishes the envelopes of the interfaces (interfaces.md, section 4; decisions.md, section 2). */
export interface ApiInterface {
  readonly name: 'directory' | 'data';
  /** Of the envelope and of X-Version. */
  readonly version: string;
  /** Name of the envelope property that holds the HTTP status: the interfaces differ in it on purpose. */
  readonly statusCodeProperty: string;
}

/** Interface A: teams. */
export const directoryInterface: ApiInterface = {
  name: 'directory',
  version: '1.0',
  statusCodeProperty: 'status_code',
};

/** Interface B: teams, news, channels. */
export const dataInterface: ApiInterface = { name: 'data', version: '1', statusCodeProperty: 'status-code' };
