import { uid } from '#kit/uid.ts'

const key = 'zg-sign-device'
const shown = 8
const most = 200

/** This device as signatures name it: the same until the browser's storage is cleared. */
export function deviceName(): string {
  let own = localStorage.getItem(key)
  if (!own) {
    own = uid().slice(0, shown)
    localStorage.setItem(key, own)
  }
  return `设备 ${own} ${navigator.userAgent}`.slice(0, most)
}
