import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { crc32 } from 'node:zlib'

export interface ZipEntry {
  /** UTF-8; a name that was used gets a number. */
  name: string
  data: Buffer
}

const marks = { entry: 0x04034b50, directory: 0x02014b50, end: 0x06054b50 }
const version = 20
/** Bit 11: names are UTF-8. */
const utf8 = 0x0800
/** 1 January 1980, the earliest day the format knows: the same content makes the same file. */
const day = 0x0021

/**
 * Writes a ZIP archive (PKWARE APPNOTE 6.3) without compression, for contents that are compressed already, one entry in memory at a time. At
 * most 65,535 entries and 4 GB.
 * @returns the number of entries
 */
export async function writeZip(path: string, entries: AsyncIterable<ZipEntry>): Promise<number> {
  let count = 0
  async function* parts() {
    const directory: Buffer[] = []
    const used = new Set<string>()
    let offset = 0
    for await (const { name, data } of entries) {
      const unique = Buffer.from(uniqueName(name, used))
      const about = Buffer.alloc(26)
      about.writeUInt16LE(version, 0)
      about.writeUInt16LE(utf8, 2)
      about.writeUInt16LE(day, 8)
      about.writeUInt32LE(crc32(data), 10)
      about.writeUInt32LE(data.length, 14)
      about.writeUInt32LE(data.length, 18)
      about.writeUInt16LE(unique.length, 22)
      const start = offset
      for (const part of [mark(marks.entry), about, unique, data]) {
        offset += part.length
        yield part
      }
      const place = Buffer.alloc(14)
      place.writeUInt32LE(start, 10)
      const madeBy = Buffer.alloc(2)
      madeBy.writeUInt16LE(version, 0)
      directory.push(mark(marks.directory), madeBy, about, place, unique)
      count++
    }
    const list = Buffer.concat(directory)
    const end = Buffer.alloc(18)
    end.writeUInt16LE(count, 4)
    end.writeUInt16LE(count, 6)
    end.writeUInt32LE(list.length, 8)
    end.writeUInt32LE(offset, 12)
    yield* [list, mark(marks.end), end]
  }
  await pipeline(Readable.from(parts()), createWriteStream(path, { mode: 0o640 }))
  return count
}

function mark(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

function uniqueName(name: string, used: Set<string>): string {
  const at = name.lastIndexOf('.')
  let unique = name
  for (let n = 2; used.has(unique); n++) unique = `${name.slice(0, at)} (${n})${name.slice(at)}`
  used.add(unique)
  return unique
}
