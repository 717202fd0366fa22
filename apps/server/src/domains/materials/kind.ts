import {
  type MaterialAction,
  type MaterialState,
  materialMoves,
  materialStates,
  rejectedMaterial,
  retestedMaterial,
} from '@zhugong/contract/materials/moves'
import { sql } from 'kysely'
import { type Context, found, groupTypes } from '#kit/context'
import type { Row } from '#kit/db'
import { contentHash, type Kind, type Todo } from '../process/public.ts'
import { materialSeats, sampleContent } from './seats.ts'

export interface Sample {
  sampleNo: string
  at: Date
  note: string
  byName: string
}
export type Batch = Row<'materialBatch'> & {
  samples: Sample[]
  /** 监理 has signed for all samples that were taken. */
  witnessed: boolean
}

/** Of its history, to-dos and signatures. */
export const batchKind = 'materialBatch'

/** 材料批次: received by the site, accepted and witnessed by 监理. */
export const materialKind = {
  kind: batchKind,
  noun: '材料批次',
  table: 'materialBatch',
  moves: materialMoves,
  stateName: (state) => materialStates[state as MaterialState] ?? state,
  lock: (ctx, id) => readBatch(ctx, id, true),
  turns: {
    // The part in the project decides which company: `own` in the moves.
    responsible: (ctx) => ctx.group.type === groupTypes.project || ctx.group.type === groupTypes.corporation,
    supervisor: (ctx, row) => ctx.principal.scope.supervised.includes(row.projectCode),
  },
  hinder: (_ctx, row, action) => hindrances[action]?.(row),
  seats: (_ctx, row) => materialSeats(row),
  todos: (row) => todosOf(row),
} as const satisfies Kind<Batch, typeof materialMoves>

/** One batch with its samples; `lock`: for a change. @throws AppError `notFound` */
export async function readBatch(ctx: Pick<Context, 'db'>, id: string, lock = false): Promise<Batch> {
  const { rows } = await sql<Row<'materialBatch'>>`select * from material_batch where id = ${id} ${lock ? sql`for update` : sql``}`.execute(
    ctx.db,
  )
  const row = found(rows[0], '材料批次')
  const { rows: samples } = await sql<Sample>`select sample_no, at, note, by_name from material_event
    where batch_id = ${id} and action = 'sample' order by seq`.execute(ctx.db)
  const signed = await sql`select from process_signature where kind = ${batchKind} and object_id = ${id} and seat = 'witness'
    and void_at is null and not refused and hash = ${contentHash(sampleContent({ ...row, samples }))} limit 1`.execute(ctx.db)
  return { ...row, samples, witnessed: samples.length > 0 && signed.rows.length > 0 }
}

const banned = ({ blockedReason }: Batch) => (blockedReason === null ? undefined : `抽检不合格，已停用：${blockedReason}`)
const gone = ({ exitAt }: Batch) => (exitAt === null ? undefined : '该批次已退场')

const hindrances: Partial<Record<MaterialAction, (row: Batch) => string | undefined>> = {
  sample: (row) => (row.sentAt === null ? undefined : '样品已送检，等待报告'),
  send: (row) => {
    if (row.sentAt !== null) return '样品已送检，等待报告'
    if (row.samplesTaken < row.samplesDue) return `应取样 ${row.samplesDue} 组，已取 ${row.samplesTaken} 组，不能送检`
    return row.witnessed ? undefined : '见证取样单尚无监理见证人签名，不能送检'
  },
  report: (row) => (row.sentAt === null ? '样品尚未送检，不能录入复验报告' : undefined),
  use: (row) => gone(row) ?? (row.state === retestedMaterial ? '复验未出合格报告，不得使用' : (banned(row) ?? emptied(row))),
  withdraw: (row) =>
    gone(row) ?? (row.state === rejectedMaterial || row.blockedBy !== null ? undefined : '该批次没有不合格结论，不能按不合格退场'),
  correct: gone,
  link: gone,
}

const emptied = (row: Batch) => (leftOf(row) <= 0 ? '该批次已全部领用' : undefined)

/** Thousandths, so that decimals add up. */
export const leftOf = ({ quantity, usedQuantity }: Pick<Batch, 'quantity' | 'usedQuantity'>): number =>
  Math.round(Number(quantity) * 1000 - Number(usedQuantity) * 1000) / 1000

/** Why a batch may not be used; undefined when it may. The page and the action say the same. */
export function whyNot(row: Pick<Batch, 'state' | 'exitAt' | 'blockedReason' | 'retestPassed'>): string | undefined {
  if (row.exitAt !== null) return '已退场'
  if (row.state === '0') return '尚未验收'
  if (row.state === rejectedMaterial) return row.retestPassed === false ? '复验不合格，须退场' : '验收不合格，须退场'
  if (row.blockedReason !== null) return `抽检不合格：${row.blockedReason}`
  return row.state === retestedMaterial ? '复验未出合格报告' : undefined
}

export const pageOf = ({ id }: Pick<Batch, 'id'>): string => `/material/details?id=${id}`

export function todosOf(row: Batch): Todo[] {
  const words = `${row.name} ${row.spec}`
  const todo = (turn: string, code: string, what: string): Todo[] => [
    { turn, codes: [code], title: `${what} ${words}`, link: pageOf(row), due: null },
  ]
  const keeper = materialMoves.sample.needs
  if (row.exitAt !== null) return []
  if (row.state === '0') return todo('supervisor', materialMoves.accept.needs, '验收进场材料')
  if (row.state === rejectedMaterial || row.blockedBy !== null) return todo('responsible', keeper, '不合格材料退场')
  if (row.state !== retestedMaterial) return []
  if (row.sentAt !== null) return todo('responsible', keeper, '录入复验报告')
  return row.samplesTaken < row.samplesDue
    ? todo('responsible', keeper, '见证取样')
    : [...todo('responsible', keeper, '送检'), ...(row.witnessed ? [] : todo('supervisor', materialMoves.accept.needs, '见证取样签名'))]
}

export const stepLabels: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(materialMoves).map(([action, { label }]) => [action, label])),
  receive: '进场登记',
  block: '抽检停用',
  release: '解除停用',
}
