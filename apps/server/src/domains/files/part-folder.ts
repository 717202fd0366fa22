import { createHash, randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { partBytes } from '@zhugong/contract/files/parts'
import { headBytes } from './content-type.ts'

/** Folders on disk; every process of the role sees the same ones. */
export interface PartFolders {
  /** Finished files, by content hash. */
  files: string
  /** Parts of unfinished files: one folder for each, one file a part, named by its number. */
  parts: string
}

export const partCount = (size: number): number => Math.ceil(size / partBytes)
/** Bytes of part `n` of a file of `size` bytes. */
export const bytesOfPart = (size: number, n: number): number => Math.min(partBytes, size - n * partBytes)

const folderOf = ({ parts }: PartFolders, id: string): string => join(parts, id)

/** Numbers of the parts that have not arrived. A part that is there is whole: it was renamed to its name. */
export async function missingParts(folders: PartFolders, id: string, size: number): Promise<number[]> {
  const names = await readdir(folderOf(folders, id)).catch(() => [] as string[])
  const here = new Set(names)
  return Array.from({ length: partCount(size) }, (_, n) => n).filter((n) => !here.has(String(n)))
}

export async function keepPart(folders: PartFolders, id: string, n: number, body: Buffer): Promise<void> {
  const folder = folderOf(folders, id)
  await mkdir(folder, { recursive: true, mode: 0o750 })
  const path = join(folder, String(n))
  const aside = `${path}.${randomBytes(4).toString('hex')}`
  await writeFile(aside, body, { mode: 0o640 })
  await rename(aside, path)
}

export const dropParts = (folders: PartFolders, id: string): Promise<void> => rm(folderOf(folders, id), { recursive: true, force: true })

export interface Joined {
  sha256: string
  bytes: number
  /** The first bytes, by which the type is known. */
  head: Buffer
  /** The joined file, to be renamed or removed. */
  path: string
}

/** Writes the parts of a file one after another into one, and computes its hash on the way; holds a few kilobytes at a time. */
export async function joinParts(folders: PartFolders, id: string, size: number): Promise<Joined> {
  const path = join(folderOf(folders, id), `whole.${randomBytes(4).toString('hex')}`)
  const hash = createHash('sha256')
  const head: Buffer[] = []
  let bytes = 0
  async function* read() {
    for (let n = 0; n < partCount(size); n++)
      for await (const piece of createReadStream(join(folderOf(folders, id), String(n))) as AsyncIterable<Buffer>) {
        hash.update(piece)
        if (bytes < headBytes) head.push(piece)
        bytes += piece.length
        yield piece
      }
  }
  try {
    await pipeline(Readable.from(read()), createWriteStream(path, { mode: 0o640 }))
  } catch (error) {
    await rm(path, { force: true })
    throw error
  }
  return { sha256: hash.digest('hex'), bytes, head: Buffer.concat(head).subarray(0, headBytes), path }
}

/** Moves a joined file to its place among the finished ones. */
export async function placeFile(path: string, target: string): Promise<void> {
  await mkdir(dirname(target), { recursive: true, mode: 0o750 })
  await rename(path, target)
}

/** Folders of parts that were last written before a moment. */
export async function oldPartFolders({ parts }: PartFolders, before: number): Promise<string[]> {
  const ids = await readdir(parts).catch(() => [] as string[])
  const old: string[] = []
  for (const id of ids) {
    const found = await stat(join(parts, id)).catch(() => undefined)
    if (found && found.mtimeMs < before) old.push(id)
  }
  return old
}

/** The last bytes of a file. */
export async function tailOf(path: string, most: number): Promise<Buffer> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const length = Math.min(most, size)
    const { buffer } = await file.read(Buffer.alloc(length), 0, length, size - length)
    return buffer
  } finally {
    await file.close()
  }
}

/** Whether a file holds these bytes anywhere. */
export async function holds(path: string, bytes: Buffer): Promise<boolean> {
  let before = Buffer.alloc(0)
  for await (const piece of createReadStream(path) as AsyncIterable<Buffer>) {
    const seen = Buffer.concat([before, piece])
    if (seen.includes(bytes)) return true
    before = seen.subarray(-(bytes.length - 1))
  }
  return false
}
