/** What a file is by its first bytes; its name says nothing. Types that can run in a browser (SVG, HTML) are not among them. */
const kinds: readonly { mime: string; extension: string; inline: boolean; matches: (head: Buffer) => boolean }[] = [
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
    matches: (b) => b.toString('latin1', 0, 4) === 'RIFF' && b.toString('latin1', 8, 12) === 'WEBP',
  },
  { mime: 'application/pdf', extension: 'pdf', inline: false, matches: (b) => b.toString('latin1', 0, 5) === '%PDF-' },
  {
    mime: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    extension: 'xlsx',
    inline: false,
    matches: (b) => b.readUInt32BE(0) === 0x504b0304 && b.includes('[Content_Types].xml'),
  },
]

export function contentKind(body: Buffer): { mime: string; extension: string; inline: boolean } | undefined {
  if (body.length < 12) return undefined
  const kind = kinds.find((k) => k.matches(body.subarray(0, 4096)))
  return kind && { mime: kind.mime, extension: kind.extension, inline: kind.inline }
}
export const isInline = (mime: string): boolean => kinds.some((k) => k.mime === mime && k.inline)
export const acceptedNames = 'JPG、PNG、WebP 图片，PDF 或 xlsx 文件'
