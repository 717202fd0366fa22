import { crc32, inflateRawSync } from 'node:zlib'
import { AppError } from '@zhugong/contract/kit/errors'

/**
 * An entry of a workbook, which is a ZIP archive of XML. This file reads only what is needed to decide whether the workbook is safe to
 * parse.
 */
export interface ZipEntry {
  name: string
  encrypted: boolean
  method: number
  crc: number
  packedBytes: number
  /** Size declared by the archive; the inflated bytes are counted as well. */
  bytes: number
  offset: number
}

/** Maximum number of archive entries: a workbook with a thousand rows has a dozen. */
const mostEntries = 200
/** Limits of a workbook; callers that accept longer sheets pass higher ones. */
export interface WorkbookLimits {
  /** Bytes of all parts together, inflated. */
  inflatedBytes: number
  /** Number of shared strings. */
  texts: number
}
/** Bytes of all parts together, inflated: a hundred times the usual longest sheet. */
const mostInflatedBytes = 20 * 1024 * 1024
/** XML compresses to a tenth; a ratio over a hundred means almost empty content. Parts below `ratioCountsFrom` bytes are not checked. */
const mostRatio = 150
const ratioCountsFrom = 256 * 1024
/** Shared strings: twenty columns of the usual longest sheet, twice. */
const mostTexts = 40_000
const usualLimits: WorkbookLimits = { inflatedBytes: mostInflatedBytes, texts: mostTexts }

const [localHead, centralHead, endOfDirectory, oleHead] = [0x04034b50, 0x02014b50, 0x06054b50, 0xd0cf11e0]
const endBytes = 22
const longestComment = 65_535
const [stored, deflated] = [0, 8]

const refuse = (message: string): never => {
  throw new AppError('invalidInput', message, { field: 'file' })
}
const notAWorkbook = '文件不是有效的 Excel（.xlsx），请用 Excel 或 WPS 另存为 .xlsx 后上传'
const damaged = '文件已损坏，请重新保存后上传'
const tooLarge = (most: number) => `文件解开后过大，最多 ${most / 1024 / 1024} MB，请删除多余的行列和图片`

/**
 * Checks by the archive's directory alone that the file is a plain workbook; inflates nothing.
 * @throws AppError `invalidInput`
 */
export function checkWorkbookFile(body: Buffer, { inflatedBytes } = usualLimits): ZipEntry[] {
  if (body.length >= 8 && body.readUInt32BE(0) === oleHead) refuse('文件有密码或是旧版 Excel（.xls），请去掉密码并另存为 .xlsx 后上传')
  if (body.length < endBytes || body.readUInt32LE(0) !== localHead) refuse(notAWorkbook)
  const entries = readDirectory(body)
  const names = new Set(entries.map((e) => e.name.toLowerCase()))
  if (entries.some((e) => e.encrypted)) refuse('文件有密码，请去掉密码后上传')
  if ([...names].some((n) => n.endsWith('vbaproject.bin') || n.includes('macrosheets/')))
    refuse('文件含有宏，请另存为不含宏的 .xlsx 后上传')
  if ([...names].some((n) => /\.(zip|xlsx|xlsm|xls|docx|7z|rar|gz)$/.test(n))) refuse('文件里还有压缩包或其他文档，请删除嵌入的文件后上传')
  if (!names.has('[content_types].xml') || !names.has('xl/workbook.xml')) refuse(notAWorkbook)
  if (names.size !== entries.length || entries.some((e) => e.method !== stored && e.method !== deflated)) refuse(damaged)
  if (entries.reduce((sum, e) => sum + e.bytes, 0) > inflatedBytes) refuse(tooLarge(inflatedBytes))
  return entries
}

function readDirectory(body: Buffer): ZipEntry[] {
  const end = endOf(body)
  const count = body.readUInt16LE(end + 10)
  let at = body.readUInt32LE(end + 16)
  if (count === 0 || count > mostEntries) refuse(count === 0 ? notAWorkbook : `文件内部部件过多，最多 ${mostEntries} 个`)
  const entries: ZipEntry[] = []
  for (let i = 0; i < count; i++) {
    if (at + 46 > end || body.readUInt32LE(at) !== centralHead) refuse(damaged)
    const [nameBytes, extraBytes, commentBytes] = [body.readUInt16LE(at + 28), body.readUInt16LE(at + 30), body.readUInt16LE(at + 32)]
    entries.push({
      name: body.toString('utf8', at + 46, at + 46 + nameBytes),
      encrypted: (body.readUInt16LE(at + 8) & 1) === 1,
      method: body.readUInt16LE(at + 10),
      crc: body.readUInt32LE(at + 16),
      packedBytes: body.readUInt32LE(at + 20),
      bytes: body.readUInt32LE(at + 24),
      offset: body.readUInt32LE(at + 42),
    })
    at += 46 + nameBytes + extraBytes + commentBytes
  }
  return entries
}

/** Offset of the end record, which only a comment may follow. */
function endOf(body: Buffer): number {
  for (let at = body.length - endBytes; at >= Math.max(0, body.length - endBytes - longestComment); at--) {
    if (body.readUInt32LE(at) === endOfDirectory) return at
  }
  return refuse(damaged)
}

/**
 * Inflates every part once, counts the bytes, and refuses content that no workbook has. Takes up to a tenth of a second: run it in a worker
 * thread.
 * @throws AppError `invalidInput`
 */
export function checkWorkbookParts(body: Buffer, limits = usualLimits): void {
  const { inflatedBytes, texts } = limits
  let left = inflatedBytes
  for (const entry of checkWorkbookFile(body, limits)) {
    const part = inflate(body, entry, left, tooLarge(inflatedBytes))
    left -= part.length
    if (part.length > ratioCountsFrom && part.length > mostRatio * entry.packedBytes) refuse(tooLarge(inflatedBytes))
    if (crc32(part) !== entry.crc) refuse(damaged)
    if (/\.(xml|rels|vml)$/i.test(entry.name)) checkXml(entry.name, part, texts)
  }
}

function inflate(body: Buffer, entry: ZipEntry, left: number, tooMuch: string): Buffer {
  if (entry.offset + 30 > body.length || body.readUInt32LE(entry.offset) !== localHead) refuse(damaged)
  const from = entry.offset + 30 + body.readUInt16LE(entry.offset + 26) + body.readUInt16LE(entry.offset + 28)
  const packed = body.subarray(from, from + entry.packedBytes)
  if (packed.length !== entry.packedBytes) refuse(damaged)
  if (entry.method === stored) return packed.length > left ? refuse(tooMuch) : packed
  try {
    // Inflating stops at the limit, whatever size the archive declares.
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, left) })
  } catch (error) {
    return refuse((error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE' ? tooMuch : damaged)
  }
}

function checkXml(name: string, part: Buffer, most: number): void {
  if (part.includes('<!DOCTYPE') || part.includes('<!ENTITY')) refuse('文件含有实体定义，不能导入，请用 Excel 或 WPS 重新保存后上传')
  if (!name.toLowerCase().endsWith('sharedstrings.xml')) return
  let texts = 0
  for (let at = part.indexOf('<si'); at >= 0; at = part.indexOf('<si', at + 3)) texts++
  if (texts > most) refuse(`文件中的文字过多，最多 ${most} 处`)
}
