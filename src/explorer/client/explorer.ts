import { announce, enableCopyButtons } from './copy-buttons.js';
import { enableLiveSearch } from './live-search.js';
import { startLocalClocks } from './local-clocks.js';

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

/** Name and number of teams of the country under the pointer or with the focus, beside the map. */
function enableMapLabels(page: Document): void {
  const show = ({ target }: Event): void => {
    if (!(target instanceof Element)) return;
    const output = target.closest('#map')?.querySelector('output');
    if (output) output.textContent = target.closest('[aria-label]')?.getAttribute('aria-label') ?? '';
  };
  // The map is replaced while the reader searches, so the page listens.
  page.addEventListener('pointerover', show);
  page.addEventListener('focusin', show);
}

/** `/` focuses the search box, except while the reader types or uses a shortcut. */
function enableSearchKey(page: Document): void {
  const box = page.querySelector<HTMLInputElement>('#search input[name="q"]');
  page.addEventListener('keydown', (event) => {
    if (box === null || event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target instanceof Element && event.target.closest('input, textarea, select, [contenteditable]')) return;
    event.preventDefault();
    box.focus();
    box.select();
  });
}
