import { useEffect, useRef, useState } from 'react'
import { showFailure } from './http.ts'
import type { KeptUpload } from './large-upload.ts'
import { uid } from './uid.ts'

/** A large file on its way, as a field shows it. */
export interface LargeFile {
  key: string
  name: string
  /** 0 to 1. */
  share: number
  /** The file is being read, nothing is sent yet. */
  reading: boolean
}

interface Running {
  stop: AbortController
  /** On the server, once it was begun. */
  id?: string
}

/** With its storage and its hash it is larger than the field; most fields never need it. */
const sender = () => import('./large-upload.ts')

/**
 * Large files of one field of this page: sends them in parts, and goes on with those that were on their way when the page was left or
 * reloaded. `onStored` gets the address of each.
 */
export function useLargeFiles(name: string, enabled: boolean, onStored: (url: string) => void) {
  const [field] = useState(() => `${location.pathname}${location.search} ${name}`)
  const [files, setFiles] = useState<readonly LargeFile[]>([])
  const running = useRef(new Map<string, Running>())
  const stored = useRef(onStored)
  stored.current = onStored

  const run = async (fileName: string, kept: KeptUpload | undefined, file?: File) => {
    const key = uid()
    const own: Running = { stop: new AbortController() }
    running.current.set(key, own)
    setFiles((now) => [...now, { key, name: fileName, share: 0, reading: true }])
    const { signal } = own.stop
    const sending = {
      signal,
      onProgress: (share: number, reading: boolean) =>
        setFiles((now) => now.map((one) => (one.key === key ? { ...one, share, reading } : one))),
      onBegun: (id: string) => {
        own.id = id
      },
    }
    try {
      const { resumeLarge, sendLarge } = await sender()
      const url = kept ? await resumeLarge(kept, sending) : file && (await sendLarge(file, field, sending))
      if (url && !signal.aborted) stored.current(url)
    } catch (error) {
      if (!signal.aborted) showFailure(error)
    } finally {
      running.current.delete(key)
      setFiles((now) => now.filter((one) => one.key !== key))
    }
  }
  const latest = useRef(run)
  latest.current = run

  useEffect(() => {
    if (!enabled) return
    let gone = false
    const all = running.current
    void sender()
      .then(({ keptUploads }) => keptUploads(field))
      .then((kept) => {
        if (!gone) for (const one of kept) void latest.current(one.name, one)
      })
    return () => {
      gone = true
      for (const { stop } of all.values()) stop.abort()
    }
  }, [enabled, field])

  return {
    files,
    send: (file: File) => void run(file.name, undefined, file),
    cancel: (key: string) => {
      const one = running.current.get(key)
      if (!one) return
      const { id, stop } = one
      // Forgotten first: a page that is left at once must not go on with it when it opens again.
      void (id ? sender().then(({ dropLarge }) => dropLarge(id)) : Promise.resolve()).finally(() => stop.abort())
    },
  }
}
