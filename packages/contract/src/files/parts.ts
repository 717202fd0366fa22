import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { text } from '../kit/fields.ts'
import { storedFile } from './endpoints.ts'

/** Largest file that is sent in parts: drawings, office files, videos. */
export const maxFileMb = 500
/**
 * Size of every part but the last. At the slowest accepted line (`formPace` of the server: 110 s for a form) this is 19 KB per second, and
 * a break of the network loses no more.
 */
export const partBytes = 2 * 1024 * 1024
/** Files of an account that were begun and not finished. */
export const mostOpenUploads = 5

const sha256 = z.string().regex(/^[0-9a-f]{64}$/, '校验值格式不正确')
const upload = z.object({
  id: z.string(),
  name: z.string(),
  size: z.number().int(),
  sha256: z.string(),
  partBytes: z.number().int(),
  /** Numbers of the parts that have not arrived, from 0. */
  missing: z.array(z.number().int()),
})
export type OpenUpload = z.output<typeof upload>

const uploadId = z.object({ id: text(64) })

/**
 * Begins a file that is sent in parts. A file of the same size and hash that this account has begun goes on; one that it has stored is
 * answered as `stored`, and nothing needs to be sent.
 */
export const beginUpload = endpoint({
  method: 'POST',
  path: '/api/v1/tool/upload/begin',
  summary: '开始分片上传',
  needs: 'self',
  acts: 'aside',
  perMinute: 60,
  body: z.object({
    name: text(200),
    size: z
      .number()
      .int()
      .min(1, '文件是空的')
      .max(maxFileMb * 1024 * 1024, `单个文件最多 ${maxFileMb} MB`),
    sha256,
  }),
  response: z.object({ upload: upload.nullable(), stored: storedFile.nullable() }),
})

/** Sends one part, as the file of a form; with `sha256` of the part beside it, a damaged one is refused. Any order; again changes nothing. */
export const sendPart = endpoint({
  method: 'PUT',
  path: '/api/v1/tool/upload/:id/part/:n',
  summary: '上传一个分片',
  needs: 'self',
  acts: 'aside',
  multipart: true,
  perMinute: 900,
  unaudited: 'a part is nothing by itself: the beginning and the finished file are in the log',
  params: z.object({ id: text(64), n: z.coerce.number().int().min(0) }),
  response: z.object({ missing: z.number().int() }),
})

/** What has arrived of an unfinished file of this account. */
export const getUpload = endpoint({
  method: 'GET',
  path: '/api/v1/tool/upload/:id',
  summary: '分片上传进度',
  needs: 'self',
  params: uploadId,
  response: upload,
})

/** Puts the parts together, compares hash and content type, and stores the file under the id of the upload. Again: the same answer. */
export const finishUpload = endpoint({
  method: 'POST',
  path: '/api/v1/tool/upload/:id/finish',
  summary: '完成分片上传',
  needs: 'self',
  acts: 'aside',
  params: uploadId,
  response: storedFile,
})

/** Gives up an unfinished file; its parts are removed. */
export const dropUpload = endpoint({
  method: 'DELETE',
  path: '/api/v1/tool/upload/:id',
  summary: '取消分片上传',
  needs: 'self',
  acts: 'aside',
  params: uploadId,
})
