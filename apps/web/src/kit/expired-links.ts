import { notify } from './notify.ts'

/** Minimum time between two refetches: on a page with a hundred faces, a hundred pictures fail at once. */
const pauseMs = 5_000

/** Expiry of a signed link to a stored file, in epoch milliseconds; undefined for other addresses. */
export function endOfLink(address: string): number | undefined {
  const expires = /\/api\/v1\/tool\/image\?(?:.*&)?expires=(\d+)/.exec(address)?.[1]
  return expires === undefined ? undefined : Number(expires)
}

/**
 * Signed links to pictures and attachments are valid for minutes; a page stays open for hours. When a picture fails to load because its
 * link has expired, or the user clicks such a link, the visible data is refetched.
 */
export function watchExpiredLinks(root: EventTarget, askAnew: () => void, now: () => number = Date.now): void {
  let requestedAt = Number.NEGATIVE_INFINITY
  const isOver = (address: string | null | undefined) => (endOfLink(address ?? '') ?? Number.POSITIVE_INFINITY) <= now()
  const ask = () => {
    if (now() - requestedAt < pauseMs) return
    requestedAt = now()
    askAnew()
  }
  // Neither event of a picture bubbles, so the listeners use the capture phase.
  root.addEventListener(
    'error',
    (event) => {
      const picture = event.target as Partial<Element> | null
      if (picture?.tagName === 'IMG' && isOver(picture.getAttribute?.('src'))) ask()
    },
    true,
  )
  root.addEventListener(
    'click',
    (event) => {
      const link = (event.target as Partial<Element> | null)?.closest?.('a')
      if (!isOver(link?.getAttribute('href'))) return
      event.preventDefault()
      ask()
      notify.info('链接已过期，已重新获取，请再点一次')
    },
    true,
  )
}
