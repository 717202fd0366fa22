import tokens from '#kit/tokens.css?raw'

/** Prints one element alone, in a frame of its own: the page's frame, its scrolling and its kept neighbours stay out of it. */
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
  // The sheet's colours are names: without the palette a frame of its own knows none of them, and rules lose their lines.
  sheet.textContent = `${tokens} @page { size: ${size}; margin: 10mm } body { margin: 0; background: #fff } ${style}`
  page.head.append(sheet)
  page.title = document.title
  page.body.append(page.importNode(element, true))
  const done = () => setTimeout(() => frame.remove(), 500)
  frame.contentWindow?.addEventListener('afterprint', done)
  frame.contentWindow?.focus()
  frame.contentWindow?.print()
  // Where the frame tells of no end (some browsers), it goes after a while.
  setTimeout(done, 60_000)
}
