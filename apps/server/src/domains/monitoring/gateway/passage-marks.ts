import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { AppError } from '@zhugong/contract/kit/errors'
import type * as fixes from '@zhugong/contract/monitoring/record-fixes'
import { projectsFor } from '#kit/context'
import type { HandlerOf } from '#kit/serve'
import { textOr } from '../shared/family.ts'
import { findRecordByKey, type RecordRow } from '../shared/records.ts'
import { correctPassage } from './passage-correction.ts'
import { accessRecord } from './passage-halves.ts'

type Answer = OutputFor<typeof fixes.markPassages>

/** Marks doubtful passages in a batch; rows that cannot be marked are reported one by one. */
export const markPassages: HandlerOf<typeof fixes.markPassages> = async ({ query, body }, ctx) => {
  const projects = projectsFor(ctx, query.projectCode)
  // A fixed order of rows prevents deadlocks between concurrent calls.
  const wanted = [...new Map(body.rows.map((one) => [one.id, one.version]))].sort(([a], [b]) => (a < b ? -1 : 1))
  const rows: { row: RecordRow & { key: string }; version: number }[] = []
  for (const [id, version] of wanted) {
    const row = await findRecordByKey(ctx.db, accessRecord, id, projects)
    // An unknown or invisible id fails the whole call.
    if (!row) throw new AppError('notFound', '出入记录不存在或不在您的管辖范围内', { field: 'rows' })
    rows.push({ row, version })
  }
  const { plate, vehicleType, washState, coverState, reason } = body
  const done: string[] = []
  const failed: Answer['failed'] = []
  for (const { row, version } of rows)
    try {
      await correctPassage(ctx, row, { version, reason, plate, vehicleType, washState, coverState })
      done.push(row.key)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      failed.push({ id: row.key, plateNo: textOr(row.data.plateNo) ?? '未识别', time: row.ts.getTime(), reason: error.message })
    }
  if (done.length > 0) ctx.note(`批量标记通行 ${done.length} 辆次（${reason}）`, done)
  return { done: done.length, failed }
}
