/** What differs between the two interfaces (decisions 2.7, 2.8). */
export interface ApiInterface {
  readonly name: 'directory' | 'data';
  /** Begins with a slash and does not end with one. */
  readonly basePath: string;
  /** If the query has no `envelope` parameter. */
  readonly envelope: boolean;
  /** In the envelope and in `X-Version`. */
  readonly version: string;
  /** Envelope property with the HTTP status. It differs between the interfaces on purpose. */
  readonly statusCodeProperty: string;
}

export const directoryInterface: ApiInterface = {
  name: 'directory',
  basePath: '/directory/v1',
  envelope: false,
  version: '1.0',
  statusCodeProperty: 'status_code',
};

export const dataInterface: ApiInterface = {
  name: 'data',
  basePath: '/data/v1',
  envelope: true,
  version: '1',
  statusCodeProperty: 'status-code',
};
