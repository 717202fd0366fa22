interface Kind {
  mime: string
  extension: string
  inline: boolean
  matches: (head: Buffer) => boolean
}

const zipHead = 0x504b0304
const isZip = (b: Buffer) => b.readUInt32BE(0) === zipHead
/** An Office document of today: an archive whose first entries name its parts. */
const isOffice = (b: Buffer, folder: string) => isZip(b) && b.includes('[Content_Types].xml') && b.includes(folder)
const latin = (b: Buffer, from: number, to: number) => b.toString('latin1', from, to)
const oleHead = Buffer.from('d0cf11e0a1b11ae1', 'hex')
/** Brands of the MP4 family that browsers play; HEIC pictures and QuickTime files have the same frame. */
const mp4Brands = /^(isom|iso[2-9]|mp4[12]|avc1|M4V |MSNV|dash|3gp[4-7])$/
/** Of a WebM file with sound and no picture, as browsers record it; the tracks stand in its first kilobytes. */
const isSound = (b: Buffer) => b.readUInt32BE(0) === 0x1a45dfa3 && b.includes('webm') && b.includes('A_OPUS') && !b.includes('V_VP')
/** The same in the MP4 family: a sound handler and no video handler. */
const isMp4Sound = (b: Buffer) => latin(b, 4, 8) === 'ftyp' && b.includes('soun') && !b.includes('vide')
const office = 'application/vnd.openxmlformats-officedocument'

/** File types by their first bytes; the name is ignored. Types that can run in a browser (SVG, HTML) are not accepted. */
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
  { mime: `${office}.wordprocessingml.document`, extension: 'docx', inline: false, matches: (b) => isOffice(b, 'word/') },
  { mime: `${office}.presentationml.presentation`, extension: 'pptx', inline: false, matches: (b) => isOffice(b, 'ppt/') },
  {
    mime: `${office}.spreadsheetml.sheet`,
    extension: 'xlsx',
    inline: false,
    matches: (b) => isZip(b) && b.includes('[Content_Types].xml'),
  },
  { mime: 'audio/webm', extension: 'webm', inline: true, matches: isSound },
  { mime: 'audio/mp4', extension: 'm4a', inline: true, matches: isMp4Sound },
]

/** Types that are only kept and handed out again, never opened by the server: an archive is not unpacked. */
const keptKinds: readonly Kind[] = [
  { mime: 'application/zip', extension: 'zip', inline: false, matches: isZip },
  { mime: 'application/acad', extension: 'dwg', inline: false, matches: (b) => /^AC10\d\d$/.test(latin(b, 0, 6)) },
  { mime: 'video/mp4', extension: 'mp4', inline: false, matches: (b) => latin(b, 4, 8) === 'ftyp' && mp4Brands.test(latin(b, 8, 12)) },
]
/** Office files before 2007 share one frame; the name tells them apart. */
const oldOffice: Readonly<Record<string, string>> = {
  doc: 'application/msword',
  xls: 'application/vnd.ms-excel',
  ppt: 'application/vnd.ms-powerpoint',
}

type Found = Pick<Kind, 'mime' | 'extension' | 'inline'>
/** Bytes by which a type is known. */
export const headBytes = 4096

const find = (all: readonly Kind[], body: Buffer): Found | undefined => {
  if (body.length < 12) return undefined
  const kind = all.find((k) => k.matches(body.subarray(0, headBytes)))
  return kind && { mime: kind.mime, extension: kind.extension, inline: kind.inline }
}

/** The type of a file that is sent in one request. */
export const contentKind = (body: Buffer): Found | undefined => find(kinds, body)

/** The type of a file that is sent in parts, by its first `headBytes` bytes: also archives, drawings, videos and old office files. */
export function documentKind(head: Buffer, name: string): Found | undefined {
  const found = find([...kinds, ...keptKinds], head)
  if (found || !head.subarray(0, 8).equals(oleHead)) return found
  const extension = /\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? ''
  const mime = oldOffice[extension]
  return mime ? { mime, extension, inline: false } : undefined
}

/** Bytes at the end of an Office document in which its parts are named. */
export const tailBytes = 256 * 1024
/** Whether an Office document carries macros, by the names of its parts at its end. Its own name does not tell. */
export const hasMacros = ({ mime }: Pick<Kind, 'mime'>, tail: Buffer): boolean => mime.startsWith(office) && tail.includes('vbaProject.bin')
export const macroWords = '文件含有宏，请另存为不含宏的格式后再上传'

export const isInline = (mime: string): boolean => kinds.some((k) => k.mime === mime && k.inline)
export const acceptedNames = 'JPG、PNG、WebP 图片，PDF、docx、xlsx 或 pptx 文件，WebM 或 M4A 录音'
export const acceptedDocuments = 'PDF、Word、Excel、PPT、DWG、MP4 或 zip 文件'
