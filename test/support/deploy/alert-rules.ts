import { load } from 'js-yaml';
import { z } from 'zod';
import { readShippedFile } from './shipped-file.js';

const ruleFile = z.object({
  groups: z.array(
    z.object({
      rules: z.array(
        z.object({
          alert: z.string(),
          expr: z.string(),
          annotations: z.object({ summary: z.string(), runbook: z.string() }),
        }),
      ),
    }),
  ),
});

/** An alert rule of `deploy/prometheus/rollcall.rules.yaml`. */
export type AlertRule = z.infer<typeof ruleFile>['groups'][number]['rules'][number];

/** Reads all alert rules. */
export function readAlerts(): AlertRule[] {
  const { groups } = ruleFile.parse(load(readShippedFile('deploy/prometheus/rollcall.rules.yaml')));
  return groups.flatMap(({ rules }) => rules);
}
