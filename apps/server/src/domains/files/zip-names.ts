import { AppError } from '@zhugong/contract/kit/errors'

const [centralHead, endHead] = [0x02014b50, 0x06054b50]
const endBytes = 22
const longestComment = 65_535

/** Names of the parts of an archive, from the directory at its end. Empty when it has none, or one that does not lie in `tail`. */
export function zipNames(tail: Buffer): string[] {
  const end = endOf(tail)
  if (end < 0) return []
  const bytes = tail.readUInt32LE(end + 12)
  return bytes > end ? [] : namesBetween(tail, end - bytes, end)
}

/** The same in lower case. @throws AppError when an Office document has so many parts that they are not all read */
export function officeNames(tail: Buffer): string[] {
  const names = zipNames(tail)
  if (names.length === 0) throw new AppError('invalidInput', '文件已损坏或部件过多，请重新保存后上传', { field: 'file' })
  return names.map((name) => name.toLowerCase())
}

/** Where the end of the directory stands: the last one whose comment ends with the file. */
function endOf(tail: Buffer): number {
  for (let at = tail.length - endBytes; at >= Math.max(0, tail.length - endBytes - longestComment); at--)
    if (tail.readUInt32LE(at) === endHead && at + endBytes + tail.readUInt16LE(at + 20) === tail.length) return at
  return -1
}

function namesBetween(tail: Buffer, from: number, end: number): string[] {
  const names: string[] = []
  for (let at = from; at + 46 <= end; ) {
    if (tail.readUInt32LE(at) !== centralHead) return []
    const [name, extra, comment] = [tail.readUInt16LE(at + 28), tail.readUInt16LE(at + 30), tail.readUInt16LE(at + 32)]
    names.push(tail.toString('utf8', at + 46, at + 46 + name))
    at += 46 + name + extra + comment
  }
  return names
}
