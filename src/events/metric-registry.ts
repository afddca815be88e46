import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';

/** In the order of the names; undefined: the sample does not have it. */
export type MetricLabels = readonly (string | undefined)[];

export interface MetricSample {
  readonly labels: MetricLabels;
  readonly value: number;
}

export interface MetricDefinition {
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly string[];
}

/**
 * prom-client gets the values only when they are read: it would hash the labels with each event, which takes longer than
 * look-ups in maps.
 */
export class MetricRegistry {
  private readonly registry = new Registry();
  private readonly registers = [this.registry];

  /** With the default metrics of the process (operation 3.4). */
  constructor({ ofProcess }: { readonly ofProcess: boolean }) {
    if (ofProcess) collectDefaultMetrics({ register: this.registry });
  }

  get contentType(): string {
    return this.registry.contentType;
  }

  /** In the Prometheus text format. */
  text(): Promise<string> {
    return this.registry.metrics();
  }

  /** `collect` gives the samples with each reading; those with the same labels are added up. */
  add(definition: MetricDefinition, collect: () => Iterable<MetricSample>): void {
    const { labelNames } = definition;
    new (isCounter(definition) ? Counter : Gauge)({
      ...definition,
      registers: this.registers,
      collect() {
        this.reset();
        for (const { labels, value } of collect()) this.inc(nameLabels(labelNames, labels), value);
      },
    });
  }

  createHistogram(
    definition: MetricDefinition & { readonly buckets: readonly number[] },
  ): (value: number, labels: MetricLabels) => void {
    const { labelNames, buckets } = definition;
    const histogram = new Histogram({ ...definition, buckets: [...buckets], registers: this.registers });
    return (value, labels) => {
      histogram.observe(nameLabels(labelNames, labels), value);
    };
  }
}

/** As its name says. */
export function isCounter({ name }: Pick<MetricDefinition, 'name'>): boolean {
  return name.endsWith('_total');
}

function nameLabels(names: readonly string[], labels: MetricLabels): Record<string, string> {
  const named = names.map((name, at) => [name, labels[at]] as const);
  return Object.fromEntries(named.filter((pair): pair is [string, string] => pair[1] !== undefined));
}
