import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AfterCommit, FileAnswer } from '#kit/context'
import { writeZip } from '#kit/zip'

interface Entry {
  name: string
  /** Where the content stands; undefined: it is gone. */
  path: string | undefined
}

/** An archive of stored contents, written after the transaction and removed when it was sent. */
export const zipped = (fileName: string, entries: readonly Entry[]) =>
  new AfterCommit(async () => {
    const path = join(tmpdir(), `zg-zip-${randomBytes(8).toString('hex')}`)
    async function* contents() {
      for (const { name, path: content } of entries) if (content) yield { name, data: await readFile(content) }
    }
    await writeZip(path, contents())
    const body = createReadStream(path)
    body.once('close', () => void rm(path, { force: true }))
    return new FileAnswer(fileName, 'application/zip', body) as never
  })

/** A name as a folder of an archive. */
export const inArchive = (name: string): string => name.replace(/[\\/:*?"<>|]/g, '_')
