import { z } from 'zod';
import { readShippedFile } from './shipped-file.js';

const datasource = z.object({ type: z.string(), uid: z.string() });

const panel = z.object({
  id: z.number(),
  type: z.string(),
  title: z.string(),
  gridPos: z.object({ x: z.number(), y: z.number(), w: z.number(), h: z.number() }),
  datasource: datasource.optional(),
  targets: z.array(z.object({ refId: z.string(), expr: z.string(), legendFormat: z.string(), datasource })).default([]),
});

/** A panel of `deploy/grafana/rollcall-dashboard.json`; a row has no targets. */
export type DashboardPanel = z.infer<typeof panel>;

const dashboard = z.object({ panels: z.array(panel) });

/** Reads all panels of the dashboard. */
export function readPanels(): DashboardPanel[] {
  return dashboard.parse(JSON.parse(readShippedFile('deploy/grafana/rollcall-dashboard.json'))).panels;
}
