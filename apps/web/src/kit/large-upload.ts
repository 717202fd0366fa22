import type { StoredFile } from '@zhugong/contract/files/endpoints'
import { beginUpload, dropUpload, finishUpload, type OpenUpload, sendPart } from '@zhugong/contract/files/parts'
import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import { CallError, endsSession } from './failure.ts'
import { call, upload } from './http.ts'
import { useMe } from './me.ts'
import { sha256Of } from './sha256.ts'

/**
 * Large files in parts: a break of the network costs the part that was on its way, a reload nothing, because the file stays in the
 * browser's storage until the server has the whole of it.
 */

/** A file that was begun on this device and not finished. */
export interface KeptUpload {
  /** Of the upload on the server. */
  id: string
  account: string
  groupId: string
  /** Where the file belongs: the page and its field. */
  field: string
  name: string
  file: Blob
  at: number
}

interface UploadBase extends DBSchema {
  uploads: { key: string; value: KeptUpload }
}
/** As long as the server keeps the parts. */
const keptMs = 72 * 3_600_000
/** Parts on their way at the same time: the server lets an account send no more when others do. */
const atOnce = 2
/** Without network, how long until the next attempt; the event of the browser comes first where it comes. */
const pauseMs = 5_000
/** Reading 500 MB takes the server some seconds. */
const finishMs = 300_000

// Its own database: the one of the field pages must open while another tab still shows an older version.
let opened: Promise<IDBPDatabase<UploadBase>> | undefined
function uploadBase(): Promise<IDBPDatabase<UploadBase>> {
  opened ??= openDB<UploadBase>('zhugong-uploads', 1, {
    upgrade(base) {
      base.createObjectStore('uploads', { keyPath: 'id' })
    },
    terminated() {
      opened = undefined
    },
  })
  return opened
}

/** A full device, or a browser without storage: the file is sent all the same, only a reload asks for it again. */
async function keep(one: KeptUpload): Promise<void> {
  await uploadBase()
    .then((base) => base.put('uploads', one))
    .catch(() => undefined)
}
async function forget(id: string): Promise<void> {
  await uploadBase()
    .then((base) => base.delete('uploads', id))
    .catch(() => undefined)
}

const ownKeys = () => {
  const { info } = useMe.getState()
  return { account: info?.id ?? '', groupId: info?.groupId ?? '' }
}

/** What this account has begun in a field and not finished, the oldest first. */
export async function keptUploads(field: string): Promise<KeptUpload[]> {
  try {
    const base = await uploadBase()
    const all = await base.getAll('uploads')
    for (const { id } of all.filter(({ at }) => at < Date.now() - keptMs)) await base.delete('uploads', id)
    const { account, groupId } = ownKeys()
    return all
      .filter((one) => one.field === field && one.account === account && one.groupId === groupId && one.at >= Date.now() - keptMs)
      .sort((a, b) => a.at - b.at)
  } catch {
    return []
  }
}

interface Sending {
  signal: AbortSignal
  /** Of reading the file before anything is sent, and then of sending it. */
  onProgress: (share: number, reading: boolean) => void
  /** Told the id by which the file can be given up (`dropLarge`). */
  onBegun: (id: string) => void
}

/**
 * Sends a large file and returns its address.
 * @throws CallError; the AbortError of `signal`
 */
export async function sendLarge(file: File, field: string, sending: Sending): Promise<string> {
  const sha256 = await sha256Of(file, (share) => sending.onProgress(share, true), sending.signal)
  const begun = await call(beginUpload, { body: { name: file.name, size: file.size, sha256 } }, { signal: sending.signal })
  if (begun.stored) return begun.stored.url
  if (!begun.upload) throw new Error('neither begun nor stored')
  const kept: KeptUpload = { ...ownKeys(), id: begun.upload.id, field, name: file.name, file, at: Date.now() }
  await keep(kept)
  return whole(kept, begun.upload, sending)
}

/** Goes on with a kept file and returns its address. @throws CallError; the AbortError of `signal` */
export async function resumeLarge(kept: KeptUpload, sending: Sending): Promise<string> {
  const sha256 = await sha256Of(kept.file, (share) => sending.onProgress(share, true), sending.signal)
  const begun = await patient(
    () => call(beginUpload, { body: { name: kept.name, size: kept.file.size, sha256 } }, { signal: sending.signal }),
    sending.signal,
  )
  if (begun.stored) {
    await forget(kept.id)
    return begun.stored.url
  }
  if (!begun.upload) throw new Error('neither begun nor stored')
  // The server has given up the first attempt meanwhile: the file goes under a new id.
  const next = { ...kept, id: begun.upload.id }
  if (next.id !== kept.id) {
    await forget(kept.id)
    await keep(next)
  }
  return whole(next, begun.upload, sending)
}

/** Gives a file up, here and on the server; resolves when this device has forgotten it. */
export async function dropLarge(id: string): Promise<void> {
  await forget(id)
  // Without network the server drops the parts after their time.
  void call(dropUpload, { params: { id } }).catch(() => undefined)
}

async function whole(
  kept: KeptUpload,
  { id, size, partBytes, missing }: OpenUpload,
  { signal, onProgress, onBegun }: Sending,
): Promise<string> {
  const parts = Math.ceil(size / partBytes)
  const waiting = [...missing]
  const under = new Map<number, number>()
  let arrived = parts - missing.length
  const tell = () => onProgress(Math.min(1, (arrived + [...under.values()].reduce((a, b) => a + b, 0)) / parts), false)
  tell()
  const one = async (n: number) => {
    const part = kept.file.slice(n * partBytes, (n + 1) * partBytes)
    await patient(() => {
      const form = new FormData()
      form.append('file', part, 'part')
      const onShare = (share: number) => {
        under.set(n, share)
        tell()
      }
      return upload(sendPart, form, { params: { id, n }, signal, onProgress: onShare })
    }, signal)
    under.delete(n)
    arrived += 1
    tell()
  }
  const worker = async () => {
    for (let n = waiting.shift(); n !== undefined; n = waiting.shift()) await one(n)
  }
  onBegun(id)
  try {
    await Promise.all(Array.from({ length: atOnce }, worker))
    const stored: StoredFile = await patient(() => call(finishUpload, { params: { id } }, { signal, timeoutMs: finishMs }), signal)
    await forget(id)
    return stored.url
  } catch (error) {
    // The server refuses the file: it would be refused again after a reload. A full quota and an ended session pass.
    const goesOn = !(error instanceof CallError) || signal.aborted || isPassing(error) || isQuota(error) || endsSession(error.failure)
    if (!goesOn) await forget(id)
    throw error
  }
}

/** HTTP status of a full disk of the server, which does not pass within seconds. */
const storageFull = 507
/** No network, a slow one, too many requests, or a server that restarts: nothing is wrong with the file. */
const isPassing = ({ failure }: CallError): boolean =>
  failure.http === 0 || failure.http === 408 || failure.http === 429 || (failure.http >= 500 && failure.http !== storageFull)

/** Tries again until the network is back; stops with `signal`. */
async function patient<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (;;) {
    signal.throwIfAborted()
    try {
      return await work()
    } catch (error) {
      if (signal.aborted || !(error instanceof CallError) || !isPassing(error) || isQuota(error)) throw error
      await pause(signal)
    }
  }
}

/** A full quota does not pass within seconds either. */
const isQuota = ({ detail }: CallError): boolean => (detail as { quota?: boolean } | undefined)?.quota === true

function pause(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      clearTimeout(timer)
      window.removeEventListener('online', go)
      signal.removeEventListener('abort', go)
      resolve()
    }
    const timer = setTimeout(go, pauseMs)
    window.addEventListener('online', go)
    signal.addEventListener('abort', go)
  })
}
