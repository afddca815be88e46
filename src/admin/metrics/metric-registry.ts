import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import { LabelTree } from './label-tree.js';

type MetricLabels = Readonly<Record<string, string | number>>;

export interface LabelledCount {
  readonly labels: readonly string[];
  count: number;
}

/** Labels missing at the end of the list are absent from the sample. */
export type CounterLookup = (labels: readonly string[]) => LabelledCount;

interface MetricDefinition {
  readonly name: string;
  readonly help: string;
  readonly labelNames?: readonly string[];
}

interface CounterDefinition extends MetricDefinition {
  /** Absent: private storage. */
  readonly counts?: LabelTree<LabelledCount>;
}

export interface SettableGauge {
  set(value: number, labels?: MetricLabels): void;
  remove(labels: MetricLabels): void;
}

interface ComputedGaugeDefinition extends MetricDefinition {
  /** Called with each reading; the value of the labels begins at 0. */
  readonly collect: (add: (labels: MetricLabels, value: number) => void) => void;
}

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

  /**
   * A counter for frequent events: counting costs look-ups in maps. prom-client would hash the labels each time, so it
   * gets the counts only when the metrics are read. Without labels, the counter begins at 0.
   */
  createCounter({ counts = new LabelTree(), labelNames = [], ...named }: CounterDefinition): CounterLookup {
    new Counter({
      ...named,
      labelNames,
      registers: this.registers,
      collect() {
        this.reset();
        for (const { labels, count: times } of counts.values()) this.inc(nameLabels(labelNames, labels), times);
      },
    });
    return (labels) => {
      const node = counts.getNode(labels);
      return (node.value ??= { labels, count: 0 });
    };
  }

  createGauge({ labelNames = [], ...definition }: MetricDefinition): SettableGauge {
    const gauge = new Gauge({ ...definition, labelNames, registers: this.registers });
    return {
      set: (value, labels = {}) => {
        gauge.set(labels, value);
      },
      remove: (labels) => {
        gauge.remove(labels);
      },
    };
  }

  /** Computed when the metrics are read. Labels that get no value are not reported. */
  createComputedGauge({ collect, labelNames = [], ...definition }: ComputedGaugeDefinition): void {
    new Gauge({
      ...definition,
      labelNames,
      registers: this.registers,
      collect() {
        this.reset();
        collect((labels, value) => {
          this.inc(labels, value);
        });
      },
    });
  }

  createHistogram({
    labelNames = [],
    buckets,
    ...named
  }: MetricDefinition & { readonly buckets: readonly number[] }): (value: number, labels: MetricLabels) => void {
    const histogram = new Histogram({ ...named, labelNames, buckets: [...buckets], registers: this.registers });
    return (value, labels) => {
      histogram.observe(labels, value);
    };
  }
}

function nameLabels(names: readonly string[], labels: readonly string[]): Record<string, string> {
  return Object.fromEntries(labels.map((label, index) => [names[index] ?? '', label]));
}
