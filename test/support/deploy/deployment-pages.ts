import { readShippedFile } from './shipped-file.js';

/** The pages about deployment as one text: the steps for one process, those for several instances, and the runbook. */
export const deploymentText = ['docs/deployment.md', 'docs/deployment-instances.md', 'docs/runbook.md']
  .map((path) => readShippedFile(path))
  .join('\n');
