import { randomBytes } from 'node:crypto'
import { type FileHandle, mkdir, open, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { MultipartFile } from '@fastify/multipart'
import { AppError } from '@zhugong/contract/kit/errors'
import type { FastifyRequest } from 'fastify'
import type { Upload } from './context.ts'
import { brokenOff, formPace, readPaced } from './pace.ts'

export const maxUploadBytes = 10 * 1024 * 1024
/** Limits of a form's text fields: their number, and the bytes of each. */
const [maxUploadFields, maxUploadFieldBytes] = [20, 10_000]

/** Name of the part with the small picture that may accompany a photograph. */
const smallPart = 'small'

/** A form that was received completely. Its files are on disk until `close`, so that many slow uploads use no memory. */
export interface Form {
  /** Size of the files; undefined when the form has none. */
  bytes: number | undefined
  /** @throws AppError `invalidInput` when there is no file */
  upload(): Promise<Upload>
  close(): Promise<void>
}

const noFile = () => new AppError('invalidInput', '请选择要上传的文件', { field: 'file' })
const withoutFile: Form = { bytes: undefined, upload: () => Promise.reject(noFile()), close: async () => undefined }

/**
 * Reads a form completely, its file into `folder`.
 * @throws AppError `tooLarge`, `tooSlow`, or `refused` when the client disconnects
 */
export async function readForm(request: FastifyRequest, folder: string): Promise<Form> {
  if (!request.isMultipart()) return withoutFile
  await mkdir(folder, { recursive: true, mode: 0o750 })
  const path = join(folder, randomBytes(8).toString('hex'))
  const kept = await open(path, 'wx+', 0o600)
  try {
    // Unlink the open file: the system deletes it when the process ends for any reason.
    await unlink(path)
    const read = await readPaced(request, formPace, () => takeParts(request, kept))
    const { file, small, fields } = read
    if (file)
      return {
        bytes: file.bytes + (small?.bytes ?? 0),
        upload: async () => ({
          fileName: file.fileName,
          fields,
          body: await bodyOf(kept, file),
          small: small && (await bodyOf(kept, small)),
        }),
        close: () => kept.close(),
      }
  } catch (error) {
    await kept.close()
    throw request.raw.destroyed && !request.raw.complete ? brokenOff() : error
  }
  await kept.close()
  return withoutFile
}

/** A file of the form: where it stands in the one file on disk. */
interface Part {
  fileName: string
  from: number
  bytes: number
}

async function bodyOf(kept: FileHandle, { from, bytes }: Part): Promise<Buffer> {
  const body = Buffer.allocUnsafe(bytes)
  for (let at = 0; at < bytes; ) {
    const { bytesRead } = await kept.read(body, at, bytes - at, from + at)
    if (bytesRead === 0) throw new Error('a kept form is shorter than it was')
    at += bytesRead
  }
  return body
}

async function takeParts(request: FastifyRequest, kept: FileHandle) {
  const limits = { fileSize: maxUploadBytes, files: 2, fields: maxUploadFields, fieldSize: maxUploadFieldBytes }
  const fields: Record<string, string> = {}
  let file: Part | undefined
  let small: Part | undefined
  let from = 0
  for await (const part of request.parts({ limits })) {
    if (part.type !== 'file') {
      if (typeof part.value === 'string') fields[part.fieldname] = part.value
      continue
    }
    const isSmall = part.fieldname === smallPart
    if (isSmall ? small : file) throw new AppError('invalidInput', '一次只能上传一个文件', { field: 'file' })
    const taken = { fileName: part.filename, from, bytes: await keep(part, kept) }
    if (isSmall) small = taken
    else file = taken
    from += taken.bytes
  }
  return { file, small, fields }
}

async function keep({ file }: MultipartFile, kept: FileHandle): Promise<number> {
  let bytes = 0
  for await (const chunk of file as AsyncIterable<Buffer>) {
    await kept.writeFile(chunk)
    bytes += chunk.length
  }
  if (file.truncated) throw new AppError('tooLarge', `文件过大，最多 ${maxUploadBytes / 1024 / 1024} MB`, { field: 'file' })
  return bytes
}
