import { AppError } from '@zhugong/contract/kit/errors'
import type { FastifyRequest } from 'fastify'

export const maxUploadBytes = 10 * 1024 * 1024
/** What a form sends beside its file: a few short words. */
const [maxUploadFields, maxUploadFieldBytes] = [20, 10_000]

/** The one file of a form and the words beside it. Throws AppError `invalidInput` where there is none. */
export async function readUpload(request: FastifyRequest) {
  if (!request.isMultipart()) throw new AppError('invalidInput', '请选择要上传的文件', { field: 'file' })
  const part = await request.file({
    limits: { fileSize: maxUploadBytes, files: 1, fields: maxUploadFields, fieldSize: maxUploadFieldBytes },
  })
  if (!part) throw new AppError('invalidInput', '请选择要上传的文件', { field: 'file' })
  const body = await part.toBuffer()
  const fields: Record<string, string> = {}
  for (const [name, field] of Object.entries(part.fields)) {
    if (field && !Array.isArray(field) && field.type === 'field' && typeof field.value === 'string') fields[name] = field.value
  }
  return { fileName: part.filename, body, fields }
}
