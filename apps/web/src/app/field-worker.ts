/**
 * Starts the service worker, which opens the product without network, and lets it fetch the files of this build. Only in a built product
 * that is served securely; elsewhere the product works as before.
 */
export function keepForField(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  navigator.serviceWorker
    .register('/sw.js')
    .then(() => navigator.serviceWorker.ready)
    .then(({ active }) => active?.postMessage('keep'))
    .catch(() => undefined)
}
