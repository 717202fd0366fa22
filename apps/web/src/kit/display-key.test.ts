import { beforeEach, expect, test, vi } from 'vitest'

const storeOf = (kept: Map<string, string>) => ({
  getItem: (key: string) => kept.get(key) ?? null,
  setItem: (key: string, value: string) => void kept.set(key, value),
  removeItem: (key: string) => void kept.delete(key),
  clear: () => kept.clear(),
})
const local = new Map<string, string>()
vi.stubGlobal('localStorage', storeOf(local))
vi.stubGlobal('sessionStorage', storeOf(new Map()))
/** Simulates a browser restart: only stored data remains. */
const started = async () => {
  vi.resetModules()
  return import('./session.ts')
}
beforeEach(() => local.clear())

test('a wall finds its key of today behind the link of its bookmark, also after somebody has left this browser', async () => {
  const first = await started()
  expect(first.takeDisplayKey('#key=one')).toBe(true)
  first.followDisplayKey('two')
  first.displayKeyAnswered()
  first.clearStorage()
  const again = await started()
  again.takeDisplayKey('#key=one')
  expect(again.displayKey()).toBe('two')
  again.takeDisplayKey('#key=other')
  expect(again.displayKey()).toBe('other')
})

test('a key that is refused before it was ever answered leads back, once', async () => {
  const wall = await started()
  wall.takeDisplayKey('#key=one')
  expect(wall.displayKeyRefused()).toBe(false)
  wall.followDisplayKey('two')
  expect([wall.displayKey(), wall.displayKeyRefused(), wall.displayKey(), wall.displayKeyRefused()]).toEqual(['two', true, 'one', false])
})
