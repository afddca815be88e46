import { announce, enableCopyButtons } from './copy-buttons.js';
import { enableLiveSearch } from './live-search.js';
import { startLocalClocks } from './local-clocks.js';
import { enableMapLabels } from './map-labels.js';
import { enableSearchKey } from './search-key.js';

/** Improves a page that is complete without scripts. */
announce('');
enableCopyButtons(document);
startLocalClocks(document);
enableSearchKey(document);
enableMapLabels(document);
for (const form of document.querySelectorAll<HTMLFormElement>('form[data-live-search]'))
  enableLiveSearch(form, () => {
    enableCopyButtons(document);
  });
