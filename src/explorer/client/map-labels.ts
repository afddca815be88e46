/** Name and number of teams of the country under the pointer or with the focus, beside the map. */
export function enableMapLabels(page: Document): void {
  const show = ({ target }: Event): void => {
    if (!(target instanceof Element)) return;
    const output = target.closest('#map')?.querySelector('output');
    if (output) output.textContent = target.closest('[aria-label]')?.getAttribute('aria-label') ?? '';
  };
  // The map is replaced while the reader searches, so the page listens.
  page.addEventListener('pointerover', show);
  page.addEventListener('focusin', show);
}
