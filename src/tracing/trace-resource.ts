import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import type { Resource as TraceResource } from '@opentelemetry/resources';

/**
 * `service.name` is `rollcall` unless OTEL_SERVICE_NAME or OTEL_RESOURCE_ATTRIBUTES states another one (operation 7.1).
 */
export function describeService(version: string): TraceResource {
  const defaults = resourceFromAttributes({ 'service.name': 'rollcall', 'service.version': version });
  return defaults.merge(detectResources({ detectors: [envDetector] }));
}
