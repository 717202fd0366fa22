import { createHash, createHmac, randomBytes } from 'node:crypto'

export interface OpenApp {
  /** Base address of the platform, such as http://127.0.0.1:8080 */
  url: string
  appId: string
  appSecret: string
}

/** hex HMAC-SHA256(appSecret, METHOD \n path?sorted-query \n timestamp \n nonce \n hex SHA-256(body)) */
export function openSignature(
  appSecret: string,
  method: string,
  pathAndQuery: string,
  timestamp: number,
  nonce: string,
  body: string | Buffer,
): string {
  const [path, query] = pathAndQuery.split('?')
  const sorted = query ? `${path}?${query.split('&').sort().join('&')}` : path
  const hash = createHash('sha256').update(body).digest('hex')
  return createHmac('sha256', appSecret).update([method, sorted, timestamp, nonce, hash].join('\n')).digest('hex')
}

export interface OpenResult {
  httpStatus: number
  status: number
  message: string
  data: { id?: string; accepted?: number; duplicated?: number; rejected?: { index: number; reason: string }[] } | null
}

export function postOpen(app: OpenApp, path: string, content: unknown): Promise<OpenResult> {
  return send(app, path, 'application/json', JSON.stringify(content))
}

/** Uploads a picture and returns its id for records; undefined if the platform refused it. */
export async function postPicture(app: OpenApp, name: string, png: Buffer): Promise<string | undefined> {
  const mark = randomBytes(12).toString('hex')
  const head = `--${mark}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: image/png\r\n\r\n`
  const body = Buffer.concat([Buffer.from(head), png, Buffer.from(`\r\n--${mark}--\r\n`)])
  const { data } = await send(app, '/api/v1/open/file', `multipart/form-data; boundary=${mark}`, body)
  return data?.id
}

async function send(app: OpenApp, path: string, type: string, body: string | Buffer): Promise<OpenResult> {
  const timestamp = Date.now()
  const nonce = randomBytes(12).toString('hex')
  const response = await fetch(new URL(path, app.url), {
    method: 'POST',
    headers: {
      'content-type': type,
      'x-app-id': app.appId,
      'x-timestamp': String(timestamp),
      'x-nonce': nonce,
      'x-sign': openSignature(app.appSecret, 'POST', path, timestamp, nonce, body),
    },
    body: typeof body === 'string' ? body : new Uint8Array(body),
    signal: AbortSignal.timeout(10_000),
  })
  const answer = (await response.json().catch(() => ({}))) as Partial<OpenResult>
  return { httpStatus: response.status, status: answer.status ?? -1, message: answer.message ?? '', data: answer.data ?? null }
}

export interface OpenItem {
  time: number
  seq: number
  data: Record<string, unknown>
}

export const postData = (app: OpenApp, deviceSn: string, items: OpenItem[]) =>
  postOpen(app, '/api/v1/open/device/data', { deviceSn, items })
export const postRecord = (app: OpenApp, deviceSn: string, record: string, items: OpenItem[]) =>
  postOpen(app, '/api/v1/open/device/record', { deviceSn, record, items })
