/**
 * User preferences (columns, density, folded panels). Stored in IndexedDB because every visit to a public page clears local storage, and
 * preferences should survive that.
 */
const storeName = 'prefs'
let opened: Promise<IDBDatabase> | undefined

function open(): Promise<IDBDatabase> {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open('zhugong', 1)
    request.onupgradeneeded = () => request.result.createObjectStore(storeName)
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
  return opened
}

const memory = new Map<string, unknown>()
let owner = ''
export function setPrefsOwner(userId: string): void {
  if (userId !== owner) memory.clear()
  owner = userId
}

export function prefNow<T>(key: string): T | undefined {
  return memory.get(key) as T | undefined
}

export async function readPref<T>(key: string): Promise<T | undefined> {
  if (memory.has(key)) return memory.get(key) as T
  try {
    const base = await open()
    const value = await new Promise<T | undefined>((resolve, reject) => {
      const request = base.transaction(storeName).objectStore(storeName).get(`${owner}:${key}`)
      request.onsuccess = () => resolve(request.result as T | undefined)
      request.onerror = () => reject(request.error)
    })
    memory.set(key, value)
    return value
  } catch {
    return undefined
  }
}

export async function writePref(key: string, value: unknown): Promise<void> {
  memory.set(key, value)
  try {
    const base = await open()
    base.transaction(storeName, 'readwrite').objectStore(storeName).put(value, `${owner}:${key}`)
  } catch {
    // Private windows may refuse IndexedDB; the setting then lasts as long as the tab.
  }
}
