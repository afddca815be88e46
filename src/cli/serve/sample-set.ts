import { startSamples } from '../../demo/start-sample-repositories.js';
import type { RunningSamples, SampleAddresses } from '../../demo/start-sample-repositories.js';

/** A reload may start and stop samples one by one (operation 2.9). */
export class SampleSet {
  private readonly running = new Map<string, RunningSamples>();

  get addresses(): ReadonlyMap<string, SampleAddresses> {
    return new Map([...this.running.values()].flatMap(({ addresses }) => [...addresses]));
  }

  /** Rejects where a sample cannot be started; those already started keep running. */
  async start(ports: ReadonlyMap<string, number>): Promise<void> {
    for (const sample of ports) {
      const key = keyOf(sample);
      if (!this.running.has(key)) this.running.set(key, await startSamples(new Map([sample])));
    }
  }

  async stopOthers(ports: ReadonlyMap<string, number>): Promise<void> {
    const kept = new Set([...ports].map(keyOf));
    const others = [...this.running].filter(([key]) => !kept.has(key));
    for (const [key] of others) this.running.delete(key);
    await Promise.all(others.map(([, sample]) => sample.close()));
  }
}

function keyOf([name, port]: readonly [string, number]): string {
  return `${name} ${port}`;
}
