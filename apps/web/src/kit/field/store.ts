import { type DBSchema, type IDBPDatabase, openDB } from 'idb'

/** A photograph or a spoken note on the device, until the server has confirmed it. */
export interface DevicePhoto {
  /** 32 hex; becomes the id of the stored file. */
  key: string
  account: string
  /** As it is sent. */
  file: Blob
  /** For lists. */
  small?: Blob | undefined
  name: string
  /** Epoch milliseconds. */
  takenAt: number
  /** WGS-84. */
  lng?: number
  lat?: number
  /** SHA-256 in hex; undefined where the page is not served securely. */
  sha256?: string | undefined
  /** Address on the server, once it has confirmed the photograph. */
  url?: string
}

/** A change that waits on the device for the network. */
export interface Waiting {
  /** The id of the record, so that sending it twice changes it once. */
  id: string
  account: string
  /** The group of the session and the project of the header under which it was written. */
  groupId: string
  group: string
  method: 'POST' | 'PUT'
  path: string
  params: Record<string, unknown>
  query: Record<string, unknown>
  body: unknown
  /** What it is, for example 整改回复 浦江-AQ-2026-003. */
  title: string
  /** Page of the record. */
  page: string
  /** What was written, to compare with the record. */
  lines: readonly { label: string; text: string }[]
  at: number
  /** Why the server refused it; undefined while it only waits. */
  refused?: { message: string; version?: number | undefined } | undefined
}

interface FieldBase extends DBSchema {
  waiting: { key: string; value: Waiting; indexes: { account: string } }
  photos: { key: string; value: DevicePhoto; indexes: { account: string } }
  drafts: { key: string; value: { account: string; value: unknown; at: number }; indexes: { account: string } }
  answers: { key: string; value: { account: string; data: unknown; at: number }; indexes: { account: string } }
}

const version = 1
let opened: Promise<IDBPDatabase<FieldBase>> | undefined

/** What the device keeps for work without network. Logging out and public pages clear local storage; this stays. */
export function fieldBase(): Promise<IDBPDatabase<FieldBase>> {
  opened ??= openDB<FieldBase>('zhugong-field', version, {
    upgrade(base) {
      base.createObjectStore('waiting', { keyPath: 'id' }).createIndex('account', 'account')
      base.createObjectStore('photos', { keyPath: 'key' }).createIndex('account', 'account')
      base.createObjectStore('drafts').createIndex('account', 'account')
      base.createObjectStore('answers').createIndex('account', 'account')
    },
    terminated() {
      opened = undefined
    },
  })
  return opened
}

/** The device has no room left for what should be kept. */
export const isFull = (error: unknown): boolean => error instanceof DOMException && error.name === 'QuotaExceededError'

/** Asks the browser once not to clear what is kept when space becomes scarce. */
let requested = false
export function askToPersist(): void {
  if (requested) return
  requested = true
  void navigator.storage?.persist?.().catch(() => false)
}
