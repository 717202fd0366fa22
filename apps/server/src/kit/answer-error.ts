import { AppError, errorKinds } from '@zhugong/contract/kit/errors'
import type { FastifyReply } from 'fastify'
import { isConnectionLoss, isDeadlock, uniqueViolation } from './db.ts'
import { maxUploadBytes } from './form.ts'
import type { Log } from './log.ts'
import { isStorageFault, storageFullText } from './storage-fault.ts'

/** insufficient_privilege: raised by a write that violates a row-level security policy. */
export const rowSecurityViolation = '42501'
/** query_canceled: raised when a statement exceeds statement_timeout. */
const statementTimeout = '57014'

/** Turns an error into the response. All errors of endpoints pass through here. */
export function answerError(error: unknown, reply: FastifyReply, log: Log): FastifyReply {
  if (error instanceof AppError) {
    const kind = errorKinds[error.kind]
    // Close the connection, so that the server does not wait for the rest of the body.
    if (error.kind === 'tooSlow') reply.header('connection', 'close')
    return reply.code(kind.http).send({ status: kind.status, message: error.message, data: error.detail ?? null })
  }
  const known = error as { code?: string; statusCode?: number; message?: string }
  const framework: Record<string, [number, number, string]> = {
    FST_ERR_CTP_INVALID_JSON_BODY: [400, 2, '请求内容不是有效的 JSON'],
    FST_ERR_CTP_EMPTY_JSON_BODY: [400, 2, '请求内容为空'],
    FST_ERR_CTP_INVALID_MEDIA_TYPE: [400, 2, '不支持的内容类型'],
    FST_ERR_CTP_BODY_TOO_LARGE: [413, 2, '请求内容过大'],
    FST_REQ_FILE_TOO_LARGE: [413, 2, `文件过大，最多 ${maxUploadBytes / 1024 / 1024} MB`],
    FST_ERR_CTP_INVALID_CONTENT_LENGTH: [400, 2, '请求长度不正确'],
  }
  const hit = known.code ? framework[known.code] : undefined
  // The connection was cut while the form was uploaded.
  if (known.message === 'Unexpected end of multipart data')
    return reply.code(400).send({ status: 2, message: '上传内容不完整，请重新上传', data: null })
  if (hit) return reply.code(hit[0]).send({ status: hit[1], message: hit[2], data: null })
  if (error instanceof SyntaxError && known.statusCode === 400)
    return reply.code(400).send({ status: 2, message: '请求内容不是有效的 JSON', data: null })
  if (known.statusCode === 429) return reply.code(429).send({ status: 4, message: known.message ?? '请求过于频繁，请稍后再试', data: null })
  if (known.statusCode && known.statusCode >= 400 && known.statusCode < 500) {
    return reply.code(known.statusCode).send({ status: 2, message: '请求不正确', data: null })
  }
  if (known.code === rowSecurityViolation) {
    // Row-level security refused what the application check should have refused: log it, because the check has a gap.
    log.warn({ err: error }, 'row-level security refused a write')
    return reply.code(403).send({ status: 403, message: '数据不存在或不在您的管辖范围内', data: null })
  }
  if (known.code === statementTimeout) {
    log.warn({ err: error }, 'a statement took too long')
    return reply.code(200).send({ status: 4, message: '数据量过大，请缩小时间范围或增加筛选条件后重试', data: null })
  }
  if (isDeadlock(error)) {
    log.warn({ err: error }, 'a transaction was given up for another')
    return reply.code(200).send({ status: 4, message: '有人同时在修改这些内容，请重试', data: null })
  }
  if (isConnectionLoss(error)) {
    log.warn({ err: error }, 'database away')
    return reply.code(503).header('retry-after', '3').send({ status: 4, message: '数据库暂时不可用，请稍后再试', data: null })
  }
  if (isStorageFault(error)) {
    log.error({ err: error }, 'DATA_DIR cannot be written')
    const { http, status } = errorKinds.storageFull
    return reply.code(http).send({ status, message: storageFullText, data: null })
  }
  const unstorable = unstorableBecause(error)
  if (unstorable) {
    // The database refused a value that the contract should have refused: log it, but answer it as a client error.
    log.warn({ err: error }, 'the database refused a value')
    return reply.code(400).send({ status: 2, message: unstorable, data: null })
  }
  log.error({ err: error }, 'unexpected error')
  return reply.code(500).send({ status: 500, message: '500，服务器链接失败！', data: null })
}

/** Chinese names of the tables that foreign keys refer to, for error messages. */
const things: Readonly<Record<string, string>> = {
  project: '项目',
  corporation: '企业',
  government: '监管机构',
  device: '设备',
  gateway: '网关',
  worker: '人员',
  team: '班组',
  app_user: '账号',
  tenant: '机构',
}

/** Translates PostgreSQL's data exceptions (class 22) and constraint violations (class 23) into a message. Undefined for other errors. */
function unstorableBecause(error: unknown): string | undefined {
  const { code = '', detail = '' } = (error ?? {}) as { code?: string; detail?: string }
  if (code === '23503') {
    const thing = things[/is not present in table "(\w+)"/.exec(detail)?.[1] ?? '']
    return thing ? `${thing}不存在或已删除` : '引用的数据不存在，或仍被其他数据引用'
  }
  if (code === uniqueViolation) return '相同的数据已存在'
  if (code === '22003') return '数值超出允许的范围'
  if (code.startsWith('2200') || code === '22P02') return '日期、编码或格式不正确'
  if (code === '23514' || code === '23502' || code.startsWith('22')) return '提交的数据不符合要求，请检查后重试'
  return undefined
}
