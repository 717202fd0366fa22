export const toggleFull = async (): Promise<void> => {
  if (document.fullscreenElement) await document.exitFullscreen()
  else await document.documentElement.requestFullscreen?.().catch(() => undefined)
}
