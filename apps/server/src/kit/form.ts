import { randomBytes } from 'node:crypto'
import { type FileHandle, mkdir, open, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { MultipartFile } from '@fastify/multipart'
import { AppError } from '@zhugong/contract/kit/errors'
import type { FastifyRequest } from 'fastify'
import type { Upload } from './context.ts'
import { brokenOff, formPace, readPaced } from './pace.ts'

export const maxUploadBytes = 10 * 1024 * 1024
/** What a form sends beside its file: a few short words. */
const [maxUploadFields, maxUploadFieldBytes] = [20, 10_000]

/** A form that has come whole. Its file lies on the disk, so that many that come slowly take no memory, until it is closed. */
export interface Form {
  /** Of its file; undefined when it came without one. */
  bytes: number | undefined
  /** Throws AppError `invalidInput` where there is no file. */
  upload(): Promise<Upload>
  close(): Promise<void>
}

const noFile = () => new AppError('invalidInput', '请选择要上传的文件', { field: 'file' })
const withoutFile: Form = { bytes: undefined, upload: () => Promise.reject(noFile()), close: async () => undefined }

/** Reads a form to its end into `folder`. Throws AppError `tooLarge` or `tooSlow`. */
export async function readForm(request: FastifyRequest, folder: string): Promise<Form> {
  if (!request.isMultipart()) return withoutFile
  await mkdir(folder, { recursive: true, mode: 0o750 })
  const path = join(folder, randomBytes(8).toString('hex'))
  const kept = await open(path, 'wx+', 0o600)
  try {
    // Without a name it goes with the process, however that ends.
    await unlink(path)
    const read = await readPaced(request, formPace, () => takeParts(request, kept))
    if (read)
      return { bytes: read.bytes, upload: async () => ({ ...read, body: await bodyOf(kept, read.bytes) }), close: () => kept.close() }
  } catch (error) {
    await kept.close()
    throw request.raw.destroyed && !request.raw.complete ? brokenOff() : error
  }
  await kept.close()
  return withoutFile
}

async function bodyOf(kept: FileHandle, bytes: number): Promise<Buffer> {
  const body = Buffer.allocUnsafe(bytes)
  for (let at = 0; at < bytes; ) {
    const { bytesRead } = await kept.read(body, at, bytes - at, at)
    if (bytesRead === 0) throw new Error('a kept form is shorter than it was')
    at += bytesRead
  }
  return body
}

async function takeParts(request: FastifyRequest, kept: FileHandle) {
  const limits = { fileSize: maxUploadBytes, files: 1, fields: maxUploadFields, fieldSize: maxUploadFieldBytes }
  const fields: Record<string, string> = {}
  let file: { fileName: string; bytes: number } | undefined
  for await (const part of request.parts({ limits })) {
    if (part.type === 'file') file = { fileName: part.filename, bytes: await keep(part, kept) }
    else if (typeof part.value === 'string') fields[part.fieldname] = part.value
  }
  return file && { ...file, fields }
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
