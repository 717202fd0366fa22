/**
 * Tab leaves a list of choices as it is. The component library takes Tab for Enter: the entry under the cursor is chosen, and in a multiple
 * choice somebody is added or removed unseen. The key is stopped before the library sees it; the browser moves the focus all the same.
 */
export function keepListsOnTab(): void {
  document.addEventListener(
    'keydown',
    (event) => {
      if (event.key === 'Tab' && event.target instanceof Element && event.target.closest('.ant-select')) event.stopPropagation()
    },
    true,
  )
}
