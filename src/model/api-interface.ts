/** Properties in which the two interfaces differ (decisions 2.7, 2.8). */
export interface ApiInterface {
  readonly name: 'directory' | 'data';
  /** Path below which its resources are. Begins with a slash, does not end with one (decisions 2.2). */
  readonly basePath: string;
  /** Whether a response has an envelope if the query has no `envelope` parameter. */
  readonly envelope: boolean;
  /** Version of the interface, in the envelope and in `X-Version`. */
  readonly version: string;
  /** Name of the envelope property with the HTTP status. It differs between the interfaces on purpose. */
  readonly statusCodeProperty: string;
}

/** The directory interface: teams (interfaces 4.1). */
export const directoryInterface: ApiInterface = {
  name: 'directory',
  basePath: '/directory/v1',
  envelope: false,
  version: '1.0',
  statusCodeProperty: 'status_code',
};

/** The data interface: teams, news and channels (interfaces 4.2). */
export const dataInterface: ApiInterface = {
  name: 'data',
  basePath: '/data/v1',
  envelope: true,
  version: '1',
  statusCodeProperty: 'status-code',
};
