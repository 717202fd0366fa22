import { notify } from './notify.ts'

/** Between two times of asking anew: a page with a hundred faces has a hundred pictures that fail at once. */
const pauseMs = 5_000

/** When a link to a stored file ends, in epoch milliseconds; undefined for whatever else. */
export function endOfLink(address: string): number | undefined {
  const expires = /\/api\/v1\/tool\/image\?(?:.*&)?expires=(\d+)/.exec(address)?.[1]
  return expires === undefined ? undefined : Number(expires)
}

/**
 * Links to pictures and attachments live some minutes; a page stays open for hours. A picture that cannot be loaded because its link has
 * ended, or a click on such a link, has what is shown asked for anew.
 */
export function watchExpiredLinks(root: EventTarget, askAnew: () => void, now: () => number = Date.now): void {
  let askedAt = Number.NEGATIVE_INFINITY
  const isOver = (address: string | null | undefined) => (endOfLink(address ?? '') ?? Number.POSITIVE_INFINITY) <= now()
  const ask = () => {
    if (now() - askedAt < pauseMs) return
    askedAt = now()
    askAnew()
  }
  // Neither event of a picture bubbles: they are met on their way down.
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
