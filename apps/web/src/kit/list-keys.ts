/**
 * Makes Tab leave an open option list without choosing. antd treats Tab like Enter: it chooses the entry under the cursor, and in a
 * multiple choice adds or removes one unnoticed. The event is stopped before antd sees it; the browser still moves the focus.
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
