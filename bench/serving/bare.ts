import { Agent } from 'undici';

/** One page, whole, as a refresh asks for it. */
const PAGE = '/teams?limit=100&offset=0';

const agent = new Agent({ connections: null, pipelining: 1 });

/**
 * Asks sources as a refresh does, by undici's dispatcher and with nothing around it: what of a refresh is none of the gateway's. Started with their
 * ports; says when it is ready, and to every message when it has done what that tells: `refresh` asks each source once whether its page has changed.
 */
async function main(ports: readonly string[]): Promise<void> {
  const origins = ports.map((port) => `http://127.0.0.1:${port}`);
  const tags = await Promise.all(origins.map((origin) => ask(origin, {})));
  process.on('message', (message) => {
    const asked = message === 'refresh' ? origins : [];
    void Promise.all(asked.map((origin, at) => ask(origin, { 'if-none-match': tags[at] }))).then(() =>
      process.send?.('done'),
    );
  });
  process.once('disconnect', () => process.exit(0));
  process.send?.('ready');
}

/** The entity tag of what is answered. */
function ask(origin: string, headers: Readonly<Record<string, string | undefined>>): Promise<string> {
  return new Promise((resolve, reject) => {
    let tag = '';
    agent.dispatch(
      { origin, path: PAGE, method: 'GET', headers },
      {
        onRequestStart: () => undefined,
        onResponseStart: (_, __, { etag }) => {
          tag = String(etag);
        },
        onResponseData: () => undefined,
        onResponseEnd: () => {
          resolve(tag);
        },
        onResponseError: (_, error) => {
          reject(error);
        },
      },
    );
  });
}

await main(process.argv.slice(2));
