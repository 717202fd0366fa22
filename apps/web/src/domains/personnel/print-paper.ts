import tokens from '#kit/tokens.css?raw'

/** Prints one element in an iframe, without the rest of the page and its scrolling. */
export function printPaper(element: HTMLElement, style: string, size: string): void {
  const frame = document.createElement('iframe')
  frame.setAttribute('aria-hidden', 'true')
  frame.style.cssText = 'position:fixed;width:0;height:0;border:0;right:0;bottom:0'
  document.body.append(frame)
  const page = frame.contentDocument
  if (!page) {
    frame.remove()
    return
  }
  const sheet = page.createElement('style')
  // The iframe needs the colour tokens; without them borders have no colour and disappear.
  sheet.textContent = `${tokens} @page { size: ${size}; margin: 10mm } body { margin: 0; background: #fff } ${style}`
  page.head.append(sheet)
  page.title = document.title
  page.body.append(page.importNode(element, true))
  const done = () => setTimeout(() => frame.remove(), 500)
  frame.contentWindow?.addEventListener('afterprint', done)
  frame.contentWindow?.focus()
  frame.contentWindow?.print()
  // Some browsers do not fire afterprint in an iframe, so remove it after a minute.
  setTimeout(done, 60_000)
}
