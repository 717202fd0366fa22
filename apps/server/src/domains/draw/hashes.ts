import { createHash, createHmac } from 'node:crypto'

export const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex')
export const hmacOf = (key: Uint8Array, text: string): Uint8Array => createHmac('sha256', key).update(text).digest()
