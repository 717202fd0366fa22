import type * as calls from '@zhugong/contract/equipment/docking-endpoints'
import { AppError } from '@zhugong/contract/kit/errors'
import { type Outgoing, OutgoingError } from '#kit/outgoing'
import type { HandlerOf } from '#kit/serve'
import { fieldsOf, listsIn, mapAnswer } from './docking-map.ts'
import { questionOf } from './docking-run.ts'
import { getDockingRow } from './docking-store.ts'

export const tryDocking =
  (outgoing: Outgoing): HandlerOf<typeof calls.tryDocking> =>
  async ({ body }, ctx) => {
    let sample = body.sample ?? null
    if (!sample) {
      const row = body.id ? await getDockingRow(ctx, body.id) : undefined
      const endpoint = body.endpoint ?? row?.endpoint ?? null
      if (!endpoint) throw new AppError('invalidInput', '请填写接口地址或粘贴样例', { field: 'endpoint' })
      const asked = {
        endpoint,
        http_method: body.httpMethod ?? row?.httpMethod ?? 'GET',
        auth_kind: body.authKind ?? row?.authKind ?? 'none',
        auth_name: body.authName ?? row?.authName ?? null,
      }
      try {
        sample = await outgoing.ask(questionOf(asked, body.authSecret ?? ctx.secrets.open(row?.authSecret ?? null), ctx.clock.now()))
      } catch (error) {
        if (!(error instanceof OutgoingError)) throw error
        return { ok: false, message: error.message, total: 0, rows: [], fields: [], sample: null }
      }
    }
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
