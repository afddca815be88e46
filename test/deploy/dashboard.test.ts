import { describe, expect, it } from 'vitest';
import { readPanels } from '../support/deploy/dashboard.js';
import type { DashboardPanel } from '../support/deploy/dashboard.js';

/** Width of the grid of a dashboard. */
const GRID_WIDTH = 24;

/** Types of panels that every Grafana has. */
const CORE_TYPES = ['row', 'stat', 'state-timeline', 'table', 'timeseries'];

const panels = readPanels();

function overlap({ gridPos: a }: DashboardPanel, { gridPos: b }: DashboardPanel): boolean {
  return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
}

describe('deploy/grafana/rollcall-dashboard.json', () => {
  it('has panels with an id and a title of their own', () => {
    expect(panels.length).toBeGreaterThan(20);
    for (const key of ['id', 'title'] as const)
      expect(new Set(panels.map((panel) => panel[key])).size).toBe(panels.length);
  });

  it('places its panels beside each other on the grid', () => {
    const overlapping = panels.filter((panel) => panels.some((other) => other !== panel && overlap(panel, other)));
    expect(overlapping.map(({ title }) => title)).toEqual([]);
    expect(Math.max(...panels.map(({ gridPos: { x, w } }) => x + w))).toBe(GRID_WIDTH);
  });

  it('needs no plugin', () => {
    expect([...new Set(panels.map(({ type }) => type))].filter((type) => !CORE_TYPES.includes(type))).toEqual([]);
  });

  it('queries the data source that its variable selects', () => {
    const selected = { type: 'prometheus', uid: '${datasource}' };
    for (const { title, type, datasource, targets } of panels.filter((panel) => panel.type !== 'row')) {
      expect([title, type, datasource]).toEqual([title, type, selected]);
      expect(targets.map((target) => target.datasource)).toEqual(targets.map(() => selected));
      expect(new Set(targets.map(({ refId }) => refId)).size).toBe(targets.length);
    }
  });
});
