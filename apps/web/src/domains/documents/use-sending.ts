import { createDocument, createDocumentFolder, listDocumentFolders, listDocuments } from '@zhugong/contract/documents/calls'
import { deepest } from '@zhugong/contract/documents/names'
import { useEffect, useRef, useState } from 'react'
import { accepts } from '#kit/accepts.ts'
import { call, refresh, showFailure } from '#kit/call.ts'
import { CallError } from '#kit/failure.ts'
import { goesInParts, storeFile } from '#kit/inputs.tsx'
import type { KeptUpload } from '#kit/large-upload.ts'
import { notify } from '#kit/notify.ts'
import { uid } from '#kit/uid.ts'
import { acceptedFiles } from './document-words.tsx'
import type { Placed } from './dropped.ts'

export interface Target {
  projectCode: string
  space: 'own' | 'project'
  parentId: string | null
  /** Folders above. */
  depth: number
}
export interface Line {
  key: string
  name: string
  share: number
  state: 'waiting' | 'reading' | 'sending' | 'saving' | 'done' | 'failed'
  why?: string
}
export interface Taken {
  id: string
  version: number
  versionNo: number
  isDir: boolean
  mayReplace: boolean
  byName: string
}
export type OnTaken = 'version' | 'both' | 'skip'
export interface Question {
  name: string
  message: string
  taken: Taken
  answer: (what: OnTaken, forAll: boolean) => void
}

/** With its storage and its hash it is larger than the page; most files never need it. */
const sender = () => import('#kit/large-upload.ts')
const maxMb = 500
const fieldOf = ({ space, projectCode, parentId }: Target) => `documents ${space} ${space === 'own' ? '' : projectCode} ${parentId ?? ''}`

/**
 * Sends files into a folder, one after another, with their folders. Large ones go on after a break of the network, and after a reload once
 * their folder is open again.
 */
export function useSending(target: Target | undefined) {
  const [lines, setLines] = useState<readonly Line[]>([])
  const [question, setQuestion] = useState<Question>()
  const forAll = useRef<OnTaken | undefined>(undefined)
  const queue = useRef<Promise<void>>(Promise.resolve())
  const stop = useRef(new AbortController())
  useEffect(() => {
    stop.current = new AbortController()
    return () => stop.current.abort()
  }, [])
  const set = (key: string, more: Partial<Line>) => setLines((now) => now.map((one) => (one.key === key ? { ...one, ...more } : one)))

  const ask = (name: string, message: string, taken: Taken): Promise<OnTaken> =>
    forAll.current
      ? Promise.resolve(forAll.current)
      : new Promise((resolve) =>
          setQuestion({
            name,
            message,
            taken,
            answer: (what, all) => {
              if (all) forAll.current = what
              setQuestion(undefined)
              resolve(what)
            },
          }),
        )

  /** Makes a document of a stored file; asks when its name is taken. */
  const make = async (at: Target, id: string, name: string, fileId: string, how?: { onTaken: 'version' | 'both'; version?: number }) => {
    const { projectCode, space, parentId } = at
    try {
      await call(createDocument, { query: { projectCode }, body: { id, name, fileId, space, parentId, ...how } })
    } catch (error) {
      const taken = error instanceof CallError ? (error.detail as { taken?: Taken } | undefined)?.taken : undefined
      if (!taken || !(error instanceof CallError)) throw error
      const what = await ask(name, error.message, taken)
      if (what === 'skip') throw new Error('已跳过')
      await make(at, id, name, fileId, what === 'both' ? { onTaken: 'both' } : { onTaken: 'version', version: taken.version })
    }
  }

  const store = async (key: string, at: Target, name: string, file: File | undefined, kept?: KeptUpload): Promise<string> => {
    if (file && !goesInParts(file)) return storeFile(file, (share) => set(key, { state: 'sending', share }))
    const sending = {
      signal: stop.current.signal,
      onProgress: (share: number, reading: boolean) => set(key, { state: reading ? 'reading' : 'sending', share }),
      onBegun: () => undefined,
    }
    const { resumeLarge, sendLarge } = await sender()
    if (kept) return resumeLarge(kept, sending)
    if (!file) throw new Error(name)
    return sendLarge(file, fieldOf(at), sending)
  }

  const one = async (key: string, at: Target, name: string, file: File | undefined, kept?: KeptUpload) => {
    try {
      const url = await store(key, at, name, file, kept)
      set(key, { state: 'saving', share: 1 })
      await make(at, uid(), name, url)
      set(key, { state: 'done' })
      refresh(listDocuments, listDocumentFolders)
    } catch (error) {
      if (!stop.current.signal.aborted) set(key, { state: 'failed', why: error instanceof Error ? error.message : '没有传成' })
    }
  }
  const line = (name: string): string => {
    const key = uid()
    setLines((now) => [...now, { key, name, share: 0, state: 'waiting' }])
    return key
  }

  const send = (placed: readonly Placed[]) => {
    const at = target
    if (!at) return
    const fit = placed.filter(({ file, folders }) => {
      const why = accepts(acceptedFiles, { name: file.name, type: '' })
        ? file.size > maxMb * 1024 ** 2
          ? `超过 ${maxMb} MB`
          : at.depth + folders.length + 1 > deepest
            ? `目录超过 ${deepest} 层`
            : undefined
        : '的格式不能上传'
      if (why) notify.error(`${file.name} ${why}`)
      return !why
    })
    forAll.current = undefined
    const keyed = fit.map((file) => ({ ...file, key: line(file.file.name) }))
    queue.current = queue.current.then(async () => {
      const folders = await folderMaker(at).catch((error: unknown) => {
        showFailure(error)
        return undefined
      })
      for (const { key, file, folders: names } of keyed) {
        if (stop.current.signal.aborted || !folders) return
        const parentId = await folders(names).catch((error: unknown) => {
          set(key, { state: 'failed', why: error instanceof Error ? error.message : '没有传成' })
          return undefined
        })
        if (parentId !== undefined) await one(key, { ...at, parentId }, file.name, file)
      }
    })
  }

  const latest = useRef({ one, line })
  latest.current = { one, line }
  const field = target && fieldOf(target)
  const at = useRef(target)
  at.current = target
  useEffect(() => {
    if (!field) return
    void sender()
      .then(({ keptUploads }) => keptUploads(field))
      .then((kept) => {
        const here = at.current
        if (!here || fieldOf(here) !== field) return
        for (const each of kept)
          queue.current = queue.current.then(() => latest.current.one(latest.current.line(each.name), here, each.name, undefined, each))
      })
  }, [field])

  return { lines, question, send, clear: () => setLines((now) => now.filter((one) => one.state !== 'done' && one.state !== 'failed')) }
}

/** Makes folders that are not there yet and returns the id of the last. */
async function folderMaker({ projectCode, space, parentId }: Target) {
  const { folders } = await call(listDocumentFolders, { query: { projectCode, space } })
  const known = new Map(folders.map((one) => [`${one.parentId ?? ''}/${one.name.toLowerCase()}`, one.id]))
  return async (names: readonly string[]): Promise<string | null> => {
    let at = parentId
    for (const name of names) {
      const key = `${at ?? ''}/${name.toLowerCase()}`
      const id = known.get(key) ?? uid()
      if (!known.has(key)) {
        await call(createDocumentFolder, { query: { projectCode }, body: { id, name, space, parentId: at } })
        known.set(key, id)
      }
      at = id
    }
    return at
  }
}
