import type * as calls from '@zhugong/contract/equipment/docking-endpoints'
import { AppError } from '@zhugong/contract/kit/errors'
import { AfterCommit } from '#kit/context'
import { type Outgoing, OutgoingError } from '#kit/outgoing'
import type { HandlerOf } from '#kit/serve'
import { fieldsOf, listsIn, mapAnswer } from './docking-map.ts'
import { questionOf } from './docking-run.ts'
import { getDockingRow } from './docking-store.ts'

type Call = HandlerOf<typeof calls.tryDocking>
type Body = Parameters<Call>[0]['body']

export const tryDocking =
  (outgoing: Outgoing): Call =>
  async ({ body }, ctx) => {
    if (body.sample) {
      ctx.note('按样例试解析第三方数据', body.id)
      return readSample(body, body.sample)
    }
    const row = body.id ? await getDockingRow(ctx, body.id) : undefined
    const endpoint = body.endpoint ?? row?.endpoint ?? null
    if (!endpoint) throw new AppError('invalidInput', '请填写接口地址或粘贴样例', { field: 'endpoint' })
    requireSecretAgain(endpoint, row, body.authSecret)
    const request = {
      endpoint,
      http_method: body.httpMethod ?? row?.httpMethod ?? 'GET',
      auth_kind: body.authKind ?? row?.authKind ?? 'none',
      auth_name: body.authName ?? row?.authName ?? null,
    }
    const question = questionOf(request, body.authSecret ?? ctx.secrets.open(row?.authSecret ?? null), ctx.clock.now())
    ctx.note(`试拉取第三方数据 ${row?.name ?? ''}（${new URL(endpoint).origin}）`, body.id)
    return new AfterCommit(async () => {
      try {
        return readSample(body, await outgoing.ask(question))
      } catch (error) {
        if (!(error instanceof OutgoingError)) throw error
        return { ok: false, message: error.message, total: 0, rows: [], fields: [], sample: null }
      }
    })
  }

/** A changed address requires entering the secret again, so that a stored secret cannot be sent to an address of the caller's choice. */
export function requireSecretAgain(
  endpoint: string | null,
  kept: { endpoint: string | null; authSecret: Buffer | null } | undefined,
  secret: string | undefined,
): void {
  if (kept?.authSecret && endpoint !== kept.endpoint && !secret)
    throw new AppError('invalidInput', '接口地址已改动，请重新填写密钥', { field: 'authSecret' })
}

function readSample(body: Body, sample: string) {
  let answer: unknown
  try {
    answer = JSON.parse(sample)
  } catch {
    return { ok: false, message: '内容不是有效的 JSON', total: 0, rows: [], fields: [], sample: sample.slice(0, 4000) }
  }
  const { items, problem } = mapAnswer(answer, body.mapping)
  const lists = problem ? listsIn(answer).filter(Boolean) : []
  return {
    ok: !problem && items.every((i) => i.errors.length === 0),
    message: problem ? `${problem}${lists.length ? `，可能是 ${lists.slice(0, 3).join('、')}` : ''}` : `读到 ${items.length} 条`,
    total: items.length,
    rows: items.slice(0, 10).map(({ raw: _raw, sn: _sn, ...item }) => item),
    fields: fieldsOf(answer, problem ? (lists[0] ?? '') : body.mapping.list),
    sample: body.sample ? null : JSON.stringify(answer, null, 2).slice(0, 20_000),
  }
}
