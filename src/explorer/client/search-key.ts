/** `/` focuses the search box, except while the reader types or uses a shortcut. */
export function enableSearchKey(page: Document): void {
  const box = page.querySelector<HTMLInputElement>('#search input[name="q"]');
  page.addEventListener('keydown', (event) => {
    if (box === null || event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target instanceof Element && event.target.closest('input, textarea, select, [contenteditable]')) return;
    event.preventDefault();
    box.focus();
    box.select();
  });
}
