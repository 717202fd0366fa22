import type { Endpoint } from '@zhugong/contract/kit/endpoint'
import { create } from 'zustand'
import { CallError, endsSession } from '../failure.ts'
import { call } from '../http.ts'
import { useMe } from '../me.ts'
import { dropPhotos, LostPhoto, photosIn, sendPhoto, withAddresses } from './photos.ts'
import { askToPersist, fieldBase, type Waiting } from './store.ts'

/** What waits on this device for the network, as the header shows it. */
interface OutboxState {
  waiting: readonly Waiting[]
  photos: number
  /** Of other accounts of this device; nobody but they see what. */
  others: number
  sending: boolean
  open: boolean
}
export const useOutbox = create<OutboxState>(() => ({ waiting: [], photos: 0, others: 0, sending: false, open: false }))

const account = () => useMe.getState().info?.id
/** Tells the other tabs of this browser. */
const channel = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel('outbox')
/** One tab sends at a time. */
const lockName = 'outbox'

/** Reads what waits for the current account. */
export async function readOutbox(): Promise<void> {
  const own = account()
  if (!own) return useOutbox.setState({ waiting: [], photos: 0, others: 0 })
  const base = await fieldBase()
  const [waiting, all] = await Promise.all([base.getAllFromIndex('waiting', 'account', own), base.count('waiting')])
  const photos = new Set(waiting.flatMap((one) => photosIn(one.body))).size
  useOutbox.setState({ waiting: waiting.sort((a, b) => a.at - b.at), photos, others: all - waiting.length })
}

async function changed(): Promise<void> {
  await readOutbox()
  channel?.postMessage('changed')
}

type Letter = Pick<Waiting, 'id' | 'method' | 'path' | 'params' | 'query' | 'body' | 'title' | 'page' | 'lines'>

/**
 * Keeps a change on the device before anything is sent.
 * @throws the browser's QuotaExceededError when the device is full
 */
export async function putInOutbox(letter: Letter): Promise<Waiting> {
  askToPersist()
  const { info, project } = useMe.getState()
  const one: Waiting = {
    ...letter,
    account: info?.id ?? '',
    groupId: info?.groupId ?? '',
    group: project?.projectCode ?? '*',
    at: Date.now(),
  }
  const base = await fieldBase()
  await base.put('waiting', one)
  await changed()
  return one
}

export async function dropFromOutbox({ id, body }: Waiting, withPhotos = true): Promise<void> {
  const base = await fieldBase()
  await base.delete('waiting', id)
  if (withPhotos) await dropPhotos(photosIn(body))
  await changed()
}

/** How sending one ended: `later` when the network or the session is missing, so that nothing was decided. */
export type Sent = { is: 'sent'; data: unknown } | { is: 'later' } | { is: 'refused'; error: CallError | LostPhoto }

/** Sends one letter: first its photographs, one after another, then the change itself. Runs in one tab at a time. */
export function sendOne(id: string): Promise<Sent> {
  return alone(async () => {
    const base = await fieldBase()
    const letter = await base.get('waiting', id)
    // Another tab has sent it meanwhile.
    if (!letter) return { is: 'sent', data: undefined }
    try {
      const addresses = new Map<string, string>()
      for (const photo of new Set(photosIn(letter.body))) addresses.set(photo, await sendPhoto(photo))
      const endpoint = { method: letter.method, path: letter.path, schemas: {} } as unknown as Endpoint<
        Record<'params' | 'query' | 'body', unknown>
      >
      const input = { params: letter.params, query: letter.query, body: withAddresses(letter.body, addresses) }
      const data = await call(endpoint, input, { group: letter.group })
      await dropFromOutbox(letter)
      return { is: 'sent', data }
    } catch (error) {
      if (error instanceof CallError && (error.failure.http === 0 || endsSession(error.failure) || isTemporary(error)))
        return { is: 'later' }
      if (error instanceof CallError || error instanceof LostPhoto) return { is: 'refused', error }
      throw error
    }
  })
}

/** Too many requests, or a server that restarts: nothing is wrong with what was sent. */
const isTemporary = ({ failure }: CallError): boolean => failure.http === 429 || failure.http >= 500

function alone<T>(work: () => Promise<T>): Promise<T> {
  return navigator.locks ? navigator.locks.request(lockName, work) : work()
}

let running = false
/** Sends everything that waits for the current account under its group, the oldest first; stops when the network is missing. */
export async function sendOutbox(): Promise<void> {
  const { info } = useMe.getState()
  if (running || !info) return
  running = true
  try {
    await readOutbox()
    if (!navigator.onLine) return
    const due = useOutbox.getState().waiting.filter((one) => !one.refused && one.groupId === (info.groupId ?? ''))
    if (due.length > 0) useOutbox.setState({ sending: true })
    for (const { id } of due) {
      const sent = await sendOne(id)
      if (sent.is === 'later') return
      if (sent.is === 'refused') await refuse(id, sent.error)
    }
  } finally {
    running = false
    useOutbox.setState({ sending: false })
  }
}

async function refuse(id: string, error: CallError | LostPhoto): Promise<void> {
  const base = await fieldBase()
  const letter = await base.get('waiting', id)
  if (!letter) return
  const detail = error instanceof CallError ? (error.detail as { version?: unknown } | undefined) : undefined
  const version = typeof detail?.version === 'number' ? detail.version : undefined
  await base.put('waiting', { ...letter, refused: { message: error.message || '服务器拒绝', version } })
  await changed()
}

/** Tries a refused letter again; with `version` on top of what changed meanwhile. */
export async function sendAgain(letter: Waiting, version?: number): Promise<void> {
  const base = await fieldBase()
  const body = version === undefined ? letter.body : { ...(letter.body as object), version }
  await base.put('waiting', { ...letter, body, refused: undefined })
  await changed()
  await sendOutbox()
}

/** How often waiting letters are tried: the browser does not always tell of a network that is back. */
const everyMs = 20_000

/** Starts sending in this tab; returns the function that ends it. */
export function startOutbox(): () => void {
  const go = () => void sendOutbox().catch((error: unknown) => console.error(error))
  const onMessage = () => void readOutbox()
  const timer = setInterval(() => useOutbox.getState().waiting.some((one) => !one.refused) && go(), everyMs)
  window.addEventListener('online', go)
  channel?.addEventListener('message', onMessage)
  // Another account, or another group, has other letters.
  const stop = useMe.subscribe((now, before) => {
    if (now.info?.id !== before.info?.id || now.info?.groupId !== before.info?.groupId) go()
  })
  go()
  return () => {
    clearInterval(timer)
    window.removeEventListener('online', go)
    channel?.removeEventListener('message', onMessage)
    stop()
  }
}
