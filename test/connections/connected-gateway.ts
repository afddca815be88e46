import { numberedTeams } from '../failures/failure-scene.js';
import { fakeClock } from '../support/fake-clock.js';
import { startGateway } from '../support/gateway/test-gateway.js';
import type { GatewayDependencies, GatewayResponse, LogLine, TestGateway } from '../support/gateway/test-gateway.js';
import { directoryUpstream } from '../support/upstream/directory-upstream.js';
import type { RequestHandler } from '../support/upstream/upstream-server.js';

/** Serves a directory of three teams. */
export const servesTeams: RequestHandler = directoryUpstream(numberedTeams('Team', 3));

/** Source-Status of a source whose teams were received. */
export const RECEIVED = 'one;state=fresh;records=3;age=0';

/** What a query of the one source shows. */
export interface ConnectedResult {
  readonly gateway: TestGateway;
  readonly response: GatewayResponse;
  readonly sourceStatus: string | null;
  /** `detail` of the log line `source failed`; undefined if the source did not fail. */
  readonly failure: string | undefined;
}

/** Starts a gateway with one source, without retries, and requests its teams. The caller closes the gateway. */
export async function requestTeams(source: object, dependencies: GatewayDependencies = {}): Promise<ConnectedResult> {
  const gateway = await startGateway(
    { defaults: { retries: 0 }, sources: { one: source } },
    { clock: fakeClock(), ...dependencies },
  );
  const response = await gateway.get('/directory/v1/teams');
  const failed = gateway.log.find(({ message }) => message === 'source failed');
  return {
    gateway,
    response,
    sourceStatus: response.headers.get('source-status'),
    failure: failed && detailOf(failed),
  };
}

function detailOf({ facts }: LogLine): string | undefined {
  return 'detail' in facts && typeof facts.detail === 'string' ? facts.detail : undefined;
}
