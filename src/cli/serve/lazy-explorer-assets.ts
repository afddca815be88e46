import { loadExplorerAssets } from '../../explorer/assets/explorer-assets.js';
import type { ExplorerAssets } from '../../explorer/assets/explorer-assets.js';
import type { Publish } from '../../events/event.js';

/** The script and the style sheet, loaded for the first configuration that serves pages. */
export class LazyExplorerAssets {
  private assets: Promise<ExplorerAssets | undefined> | undefined;

  constructor(private readonly publish: Publish) {}

  /** Undefined where there are none: pages are complete but plain. Never rejects. */
  load(): Promise<ExplorerAssets | undefined> {
    this.assets ??= loadExplorerAssets().catch((error: unknown) => {
      this.publish({
        type: 'pages have no style and no script: dist/client is missing',
        error: String(error),
      });
      return undefined;
    });
    return this.assets;
  }
}
