/// <reference lib="webworker" />
import { registerRoute } from 'workbox-routing'
import { CacheFirst } from 'workbox-strategies'

/**
 * The service worker: opens the product without network. Built files have a hash in their name and never change, so they are taken from the
 * cache first. The page itself comes from the network while there is one. Calls of the API are not touched: the outbox and the kept answers
 * (`kit/field`) deal with them.
 */
declare const self: ServiceWorkerGlobalScope

const [pageCache, fileCache] = ['page', 'files']
const pageAddress = '/'
/** What field pages need beside the page's own scripts, written by the build. */
const fieldFiles = '/field.json'
/** A site's network that does not answer within this time counts as none. */
const patienceMs = 5_000

registerRoute(({ url, sameOrigin }) => sameOrigin && url.pathname.startsWith('/assets/'), new CacheFirst({ cacheName: fileCache }))
registerRoute(
  ({ request }) => request.mode === 'navigate',
  async ({ request }) => {
    try {
      return await fetch(request, { signal: AbortSignal.timeout(patienceMs) })
    } catch (error) {
      const kept = await caches.match(pageAddress, { cacheName: pageCache })
      if (!kept) throw error
      return kept
    }
  },
)

self.addEventListener('install', (event) => {
  event.waitUntil(keepShell().then(() => self.skipWaiting()))
})
self.addEventListener('activate', (event) => {
  event.waitUntil(self.clients.claim())
})
// Sent by each page that opens: after an upgrade the new files are fetched and the old ones dropped.
self.addEventListener('message', (event) => {
  if (event.data === 'keep') event.waitUntil(keepShell().catch(() => undefined))
})

/** Caches the page, its scripts and styles, and the files of the field pages; files of earlier builds are dropped. */
async function keepShell(): Promise<void> {
  const page = await fetch(pageAddress, { cache: 'no-cache' })
  const html = await page.clone().text()
  const fields = (await (await fetch(fieldFiles, { cache: 'no-cache' })).json()) as string[]
  const wanted = new Set([...html.matchAll(/"(\/assets\/[^"]+)"/g)].map((match) => match[1] ?? ''))
  for (const file of fields) wanted.add(`/${file}`)
  const files = await caches.open(fileCache)
  const kept = await files.keys()
  const present = new Set(kept.map(({ url }) => new URL(url).pathname))
  await files.addAll([...wanted].filter((file) => !present.has(file)))
  await (await caches.open(pageCache)).put(pageAddress, page)
  // Other pages' files stay while they belong to this build; a changed shell means another one.
  const before = await files.match('/build')
  const build = [...wanted].sort().join()
  if (before && (await before.text()) !== build)
    for (const request of kept) if (!wanted.has(new URL(request.url).pathname)) await files.delete(request)
  await files.put('/build', new Response(build))
}
