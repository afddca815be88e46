import type { Publish } from '../events/event.js';
import { parseUrl } from '../text/url.js';
import type { ExportingTracer } from './open-telemetry.js';

/** When the process stops, in milliseconds (operation 6.3). */
const FLUSH_TIME = 1_500;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Undefined where the environment names no collector; then nothing of OpenTelemetry is loaded (operation 7.1).
 * `version`: of this program.
 */
export async function startTracing(
  environment: Environment,
  version: string,
  publish: Publish,
): Promise<ExportingTracer | undefined> {
  if (!isTracingConfigured(environment)) return undefined;
  const unusable = listEndpoints(environment).find(({ url }) => !/^https?:$/.test(parseUrl(url)?.protocol ?? ''));
  if (unusable !== undefined) {
    const type = 'nothing is traced: the address of the collector is not an http or https URL';
    publish({ type, variable: unusable.name });
    return undefined;
  }
  const { createExportingTracer } = await import('./open-telemetry.js');
  const exporting = createExportingTracer(version, publish);
  return { tracer: exporting.tracer, close: () => waitAtMost(FLUSH_TIME, exporting.close()) };
}

const ENDPOINT_VARIABLES = ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'] as const;

function listEndpoints(environment: Environment): readonly { readonly name: string; readonly url: string }[] {
  const endpoints = ENDPOINT_VARIABLES.map((name) => ({ name, url: environment[name]?.trim() ?? '' }));
  return endpoints.filter(({ url }) => url !== '');
}

function isTracingConfigured(environment: Environment): boolean {
  const isDisabled = environment['OTEL_SDK_DISABLED']?.trim().toLowerCase() === 'true';
  return !isDisabled && listEndpoints(environment).length > 0;
}

async function waitAtMost(milliseconds: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await Promise.race([work, timeout]);
  clearTimeout(timer);
}
