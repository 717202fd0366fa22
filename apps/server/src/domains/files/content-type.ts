import { officeNames, zipNames } from './zip-names.ts'

interface Kind {
  mime: string
  extension: string
  inline: boolean
  /** Of the first bytes, and of the names of an archive's parts. */
  matches: (head: Buffer, names: readonly string[]) => boolean
}

const zipHead = 0x504b0304
const isZip = (b: Buffer) => b.readUInt32BE(0) === zipHead
/** An Office document of today: an archive of named parts, in whatever order its program wrote them. */
const isOffice = (b: Buffer, names: readonly string[], folder: string) =>
  isZip(b) && names.includes('[Content_Types].xml') && names.some((name) => name.startsWith(folder))
const latin = (b: Buffer, from: number, to: number) => b.toString('latin1', from, to)
const oleHead = Buffer.from('d0cf11e0a1b11ae1', 'hex')
/** Brands of the MP4 family that browsers play; HEIC pictures and QuickTime films have the same frame. */
const mp4Brands = /^(isom|iso[2-9]|mp4[12]|avc1|M4V |MSNV|dash|3gp[4-7])$/
/** Of a WebM file with sound and no picture, as browsers record it; the tracks stand in its first kilobytes. */
const isSound = (b: Buffer) => b.readUInt32BE(0) === 0x1a45dfa3 && b.includes('webm') && b.includes('A_OPUS') && !b.includes('V_VP')
/** The same in the MP4 family: a sound handler and no video handler. */
const isMp4Sound = (b: Buffer) => latin(b, 4, 8) === 'ftyp' && b.includes('soun') && !b.includes('vide')
const office = 'application/vnd.openxmlformats-officedocument'

/** File types by their content; the name is ignored. Types that can run in a browser (SVG, HTML) are not accepted. */
const kinds: readonly Kind[] = [
  { mime: 'image/jpeg', extension: 'jpg', inline: true, matches: (b) => b[0] === 0xff && b[1] === 0xd8 && b[2] === 0xff },
  {
    mime: 'image/png',
    extension: 'png',
    inline: true,
    matches: (b) => b.subarray(0, 8).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])),
  },
  {
    mime: 'image/webp',
    extension: 'webp',
    inline: true,
    matches: (b) => latin(b, 0, 4) === 'RIFF' && latin(b, 8, 12) === 'WEBP',
  },
  { mime: 'application/pdf', extension: 'pdf', inline: false, matches: (b) => latin(b, 0, 5) === '%PDF-' },
  { mime: `${office}.wordprocessingml.document`, extension: 'docx', inline: false, matches: (b, names) => isOffice(b, names, 'word/') },
  { mime: `${office}.presentationml.presentation`, extension: 'pptx', inline: false, matches: (b, names) => isOffice(b, names, 'ppt/') },
  {
    mime: `${office}.spreadsheetml.sheet`,
    extension: 'xlsx',
    inline: false,
    matches: (b, names) => isOffice(b, names, 'xl/'),
  },
  { mime: 'audio/webm', extension: 'webm', inline: true, matches: isSound },
  { mime: 'audio/mp4', extension: 'm4a', inline: true, matches: isMp4Sound },
]

/** Types that are only kept and handed out again, never opened by the server: an archive is not unpacked. */
const keptKinds: readonly Kind[] = [
  { mime: 'application/ofd', extension: 'ofd', inline: false, matches: (b, names) => isZip(b) && names.includes('OFD.xml') },
  { mime: 'application/zip', extension: 'zip', inline: false, matches: isZip },
  { mime: 'application/acad', extension: 'dwg', inline: false, matches: (b) => /^AC10\d\d$/.test(latin(b, 0, 6)) },
  { mime: 'video/mp4', extension: 'mp4', inline: false, matches: (b) => latin(b, 4, 8) === 'ftyp' && mp4Brands.test(latin(b, 8, 12)) },
]
/** Office files before 2007 and those of WPS share one frame; the name tells them apart. */
const oldOffice: Readonly<Record<string, string>> = {
  doc: 'application/msword',
  xls: 'application/vnd.ms-excel',
  ppt: 'application/vnd.ms-powerpoint',
  wps: 'application/wps-office.wps',
  et: 'application/wps-office.et',
  dps: 'application/wps-office.dps',
}
export const isOldOffice = ({ extension }: Pick<Kind, 'extension'>): boolean => extension in oldOffice

/** Whether a stored file is of the same type under another name: of old office files the name decides. */
export const isSameKind = (stored: { name: string; mime: string }, name: string): boolean =>
  !Object.values(oldOffice).includes(stored.mime) || extensionOf(stored.name) === extensionOf(name)

type Found = Pick<Kind, 'mime' | 'extension' | 'inline'>
/** Bytes at the beginning by which a type is known. */
export const headBytes = 4096
/** Bytes at the end of an archive in which its parts are named. */
export const tailBytes = 256 * 1024

const find = (all: readonly Kind[], head: Buffer, tail: Buffer): Found | undefined => {
  if (head.length < 12) return undefined
  const names = isZip(head) ? zipNames(tail) : []
  const kind = all.find((k) => k.matches(head, names))
  return kind && { mime: kind.mime, extension: kind.extension, inline: kind.inline }
}

/** The type of a file that is sent in one request. */
export const contentKind = (body: Buffer): Found | undefined => find(kinds, body.subarray(0, headBytes), body.subarray(-tailBytes))

const extensionOf = (name: string) => /\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? ''

/** The type of a file that is sent in parts, by its beginning and end: also archives, drawings, videos, texts and old office files. */
export function documentKind(head: Buffer, name: string, tail = head): Found | undefined {
  const found = find([...kinds, ...keptKinds], head, tail)
  const extension = extensionOf(name)
  if (found) return found
  if (extension === 'txt') return textKind(head)
  const mime = head.subarray(0, 8).equals(oleHead) ? oldOffice[extension] : undefined
  return mime ? { mime, extension, inline: false } : undefined
}

/** What a browser or a shell could take for something to run. */
const runs = /^[\s\ufeff]*(<|#!|%!|%PDF)/
/** Tab, line feed, form feed and carriage return stand in texts; other control characters do not. */
const blanks = [9, 10, 12, 13]
const hasControls = (text: string) =>
  [...text].some((c) => {
    const code = c.charCodeAt(0)
    return code === 127 || (code < 32 && !blanks.includes(code))
  })

/** A plain text in the coding that its bytes have: notes of the site come in UTF-8 and, from older Windows, in GBK. */
function textKind(head: Buffer): Found | undefined {
  for (const charset of ['utf-8', 'gb18030'])
    try {
      const text = new TextDecoder(charset, { fatal: true }).decode(head, { stream: true })
      if (hasControls(text) || runs.test(text)) return undefined
      return { mime: `text/plain; charset=${charset}`, extension: 'txt', inline: false }
    } catch {
      // Another coding.
    }
  return undefined
}

/** What people send that is not taken, by its first bytes, and what they can do about it. */
const refusals: readonly { matches: (head: Buffer) => boolean; words: string }[] = [
  {
    matches: (b) => latin(b, 4, 8) === 'ftyp' && /^(heic|heix|heim|heis|hevc|hevx|mif1|msf1|avif)/.test(latin(b, 8, 12)),
    words: '苹果手机的 HEIC 照片不能上传，请转为 JPG，或在手机“设置 › 相机 › 格式”中选“兼容性最佳”后重拍',
  },
  { matches: (b) => latin(b, 4, 8) === 'ftyp', words: '该视频格式不能上传，请转为 MP4' },
  { matches: (b) => latin(b, 0, 4) === 'Rar!' || latin(b, 0, 2) === '7z', words: 'RAR、7z 压缩包不能上传，请改用 zip 压缩' },
  { matches: (b) => /^(GIF8|BM|II\*|MM\0)/.test(latin(b, 0, 4)), words: '该图片格式不能上传，请另存为 JPG 或 PNG' },
  { matches: (b) => latin(b, 0, 2) === 'MZ' || latin(b, 1, 4) === 'ELF', words: '不能上传程序文件' },
  {
    matches: (b) => /^[\s\xef\xbb\xbf]*<(!doctype|html|svg|script|\?xml|body|head|iframe)/i.test(latin(b, 0, 256)),
    words: '不能上传网页或 SVG 文件，请另存为 PDF 或 PNG',
  },
]
/** Why a file is not taken, in words that help; `accepted`: what is taken here. */
export const refusalOf = (head: Buffer, accepted: string): string =>
  refusals.find((one) => one.matches(head))?.words ?? `文件内容不受支持，请上传${accepted}`

/** Whether an Office document carries macros, by the names of its parts. Its own name does not tell. */
export function hasMacros({ mime }: Pick<Kind, 'mime'>, tail: Buffer): boolean {
  if (!mime.startsWith(office)) return false
  return officeNames(tail).some((name) => /vbaproject\.bin$|macrosheets\//.test(name))
}
/** In files before 2007, the name of the folder of their macros. */
export const oldMacros = Buffer.from('_VBA_PROJECT', 'utf16le')
export const macroWords = '文件含有宏，请另存为不含宏的格式后再上传'

export const isInline = (mime: string): boolean => kinds.some((k) => k.mime === mime && k.inline)
export const acceptedNames = 'JPG、PNG、WebP 图片，PDF、docx、xlsx 或 pptx 文件，WebM 或 M4A 录音'
export const acceptedDocuments = 'PDF、OFD、Word、Excel、PPT、WPS、TXT、DWG、MP4 或 zip 文件'
