export interface Part {
  name: string
  fileName: string | undefined
  contentType: string
  body: Buffer
}

const mostParts = 20

/** Parses a complete multipart body; undefined if it is malformed. */
export function partsOf(contentType: string, body: Buffer): Part[] | undefined {
  const boundary = /^multipart\/[\w-]+\s*;.*?boundary=(?:"([^"]{1,70})"|([^;\s]{1,70}))/i.exec(contentType)
  const mark = boundary && Buffer.from(`--${boundary[1] ?? boundary[2]}`)
  if (!mark) return undefined
  const parts: Part[] = []
  let at = body.indexOf(mark)
  while (at >= 0 && parts.length < mostParts) {
    let from = at + mark.length
    // The last boundary is followed by two dashes.
    if (body[from] === 0x2d && body[from + 1] === 0x2d) return parts
    if (body[from] === 0x0d) from++
    if (body[from] === 0x0a) from++
    const end = body.indexOf(mark, from)
    if (end < 0) return undefined
    const head = body.indexOf('\r\n\r\n', from)
    const headEnd = head < 0 || head > end ? undefined : head
    if (headEnd === undefined) return undefined
    const header = body.toString('utf8', from, headEnd)
    let until = end
    if (body[until - 1] === 0x0a) until--
    if (body[until - 1] === 0x0d) until--
    parts.push({
      name: /name="([^"]*)"/i.exec(header)?.[1] ?? '',
      fileName: /filename="([^"]*)"/i.exec(header)?.[1],
      contentType: /content-type:\s*([^\r\n;]+)/i.exec(header)?.[1]?.trim().toLowerCase() ?? 'text/plain',
      body: body.subarray(headEnd + 4, Math.max(headEnd + 4, until)),
    })
    at = end
  }
  return undefined
}
