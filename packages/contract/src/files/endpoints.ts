import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { ref, text } from '../kit/fields.ts'

/** Largest upload: pictures. Documents and videos come with the modules that need them. */
export const maxUploadMb = 10

export const uploadFile = endpoint({
  method: 'POST',
  path: '/api/v1/tool/upload',
  summary: '上传附件',
  needs: 'self',
  acts: 'aside',
  multipart: true,
  perMinute: 120,
  response: z.object({ id: z.string(), name: z.string(), url: z.string(), mime: z.string(), size: z.number().int() }),
})
/** A picture or attachment by id, to whoever sees the row it belongs to, or by a signed link for as long as that holds. */
export const getImage = endpoint({
  method: 'GET',
  path: '/api/v1/tool/image',
  summary: '获取图片',
  needs: 'public',
  answers: 'blob',
  query: z.object({ id: ref('file').optional(), expires: text(20).optional(), sign: text(80).optional() }),
})
