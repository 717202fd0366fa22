import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { ref, text } from '../kit/fields.ts'

/** Largest file that is sent in one request; larger ones are sent in parts (`files/parts.ts`). */
export const maxUploadMb = 10

/** Longest edge of the small picture that lists show instead of a photograph, in pixels. */
export const smallEdge = 480
/** Its largest size in bytes: a JPEG of 480 x 480 pixels stays far below. */
export const maxSmallBytes = 128 * 1024

/** A stored file, for the account that has just sent it. */
export const storedFile = z.object({
  id: z.string(),
  name: z.string(),
  url: z.string(),
  mime: z.string(),
  size: z.number().int(),
  /** Of the file as it was sent. */
  sha256: z.string(),
})
export type StoredFile = z.output<typeof storedFile>

/**
 * Uploads one file. Fields beside it: `id` (32 hex, made by the device; the same file sent again under it is stored once), `sha256` (hex;
 * a file damaged on its way is refused), `takenAt` (epoch milliseconds), `lng` and `lat` (WGS-84) of a photograph. A second file named
 * `small` is the small picture for lists: a JPEG of at most `smallEdge` pixels and `maxSmallBytes` bytes. It is never evidence: viewers,
 * documents and hashes take the file itself.
 */
export const uploadFile = endpoint({
  method: 'POST',
  path: '/api/v1/tool/upload',
  summary: '上传附件',
  needs: 'self',
  acts: 'aside',
  multipart: true,
  perMinute: 120,
  response: storedFile,
})
/**
 * Returns a picture or attachment by id, to anybody who sees the row it belongs to, or by a signed link until the link expires. With
 * `size=small` the small picture, where the file came with one, otherwise the file itself.
 */
export const getImage = endpoint({
  method: 'GET',
  path: '/api/v1/tool/image',
  summary: '获取图片',
  needs: 'public',
  answers: 'blob',
  query: z.object({
    id: ref('file').optional(),
    expires: text(20).optional(),
    sign: text(80).optional(),
    size: z.enum(['small']).optional(),
  }),
})
