import type * as contract from '@zhugong/contract/documents/goods'
import { type Evidence, evidenceNames, type GoodsStep, goodsRow } from '@zhugong/contract/documents/goods'
import { AppError } from '@zhugong/contract/kit/errors'
import { materialStates } from '@zhugong/contract/materials/moves'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { type RawBuilder, sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import { type Context, found, projectsFor } from '#kit/context'
import type { Row } from '#kit/db'
import { allOf, anyOf, type Condition, condition, contains, filtersOf, inProjects, instantsBetween, orderBy, pageSlice } from '#kit/list'
import { rowOf } from '#kit/row-of'
import { seesProject } from '#kit/sees-project'
import type { HandlerOf } from '#kit/serve'
import { filePaths, linksOf } from '../files/public.ts'
import { whyNot } from '../materials/public.ts'
import { inArchive, zipped } from './zipped.ts'

type Query = Partial<NonNullable<(typeof contract.listGoods)['types']>['parsed']['query']>
export type GoodsReader = Pick<Context, 'db' | 'scope' | 'scopeChecks'>
type Raw = Row<'materialBatch'> & { projectName: string }

/** As `whyNot` of the materials says: without acceptance, without a passed report, rejected, forbidden or gone. */
const banned = sql`(m.exit_at is not null or m.state in ('0', '2', '3') or m.blocked_reason is not null)`
const states: Readonly<Record<Evidence, RawBuilder<unknown>>> = {
  banned,
  missing: sql`(not ${banned} and m.cert_files = '{}')`,
  full: sql`(not ${banned} and m.cert_files <> '{}')`,
}

export const goodsConditions = (ctx: GoodsReader, query: Query): Condition =>
  allOf(
    ...inProjects('m.projectCode', projectsFor(ctx, query.projectCode)),
    filtersOf(query, {
      projectCode: 'elsewhere',
      category: [anyOf, 'm.category'],
      name: [contains, 'm.name'],
      spec: [contains, 'm.spec'],
      batchNo: (value) =>
        condition(sql`(${allOf(...contains('m.batchNo', value))} or ${allOf(...contains('m.reportNo', value))} or exists (
          select from material_event e where e.batch_id = m.id and e.sample_no is not null and ${allOf(...contains('e.sampleNo', value))}))`),
      supplier: [contains, 'm.supplier'],
      arriveTime: [instantsBetween, 'm.arriveTime'],
      evidence: (values) => {
        const wanted = values.flatMap((one) => (Object.hasOwn(states, one) ? [states[one as Evidence]] : []))
        return condition(wanted.length > 0 ? sql`(${sql.join(wanted, sql` or `)})` : sql`false`)
      },
    }),
  )

function toRow(raw: Raw) {
  const why = whyNot(raw)
  const evidence: Evidence = why ? 'banned' : raw.certFiles.length === 0 ? 'missing' : 'full'
  return rowOf(goodsRow, raw, {
    categoryName: dictName('materialCategory', raw.category) ?? raw.category,
    quantity: Number(raw.quantity),
    unitName: dictName('materialUnit', raw.unit) ?? raw.unit,
    arriveTime: formatInstant(raw.arriveTime),
    certCount: raw.certFiles.length,
    evidence,
    evidenceName: evidenceNames[evidence],
    lacks: why ?? (evidence === 'missing' ? '缺少合格证' : null),
  })
}

export async function readGoods(ctx: GoodsReader, where: Condition, sort: Query['sort'], slice?: { limit: number; offset: number }) {
  const order = orderBy(sort, { arriveTime: 'm.arriveTime!', name: 'm.name!' }, '-arriveTime', 'm.id')
  const { rows } = await sql<Raw>`select m.*, j.name as project_name from material_batch m join project j on j.project_code = m.project_code
    where ${where} order by ${order} ${slice ? sql`limit ${slice.limit} offset ${slice.offset}` : sql``}`.execute(ctx.db)
  return rows.map(toRow)
}

export async function countGoods(ctx: GoodsReader, where: Condition): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from material_batch m where ${where}`.execute(ctx.db)
  return rows[0]?.n ?? 0
}

export const listGoods: HandlerOf<typeof contract.listGoods> = async ({ query }, ctx) => {
  await seesProject(ctx, query.projectCode)
  const where = goodsConditions(ctx, query)
  const count = (evidence?: Evidence) =>
    countGoods(ctx, goodsConditions(ctx, { projectCode: query.projectCode, evidence: evidence && [evidence] }))
  return {
    list: await readGoods(ctx, where, query.sort, pageSlice(query)),
    total: await countGoods(ctx, where),
    counts: { all: await count(), banned: await count('banned'), missing: await count('missing') },
  }
}

/** Of which step of the chain an event is. */
const stepOf: Readonly<Record<string, GoodsStep['key']>> = {
  receive: 'accept',
  accept: 'accept',
  link: 'weigh',
  sample: 'sample',
  send: 'sample',
  report: 'retest',
  use: 'use',
}

type Event = Pick<Row<'materialEvent'>, 'action' | 'at' | 'quantity' | 'part' | 'sampleNo' | 'reportNo' | 'files' | 'byName'>

async function chainOf(ctx: Pick<Context, 'db' | 'scope' | 'scopeChecks'>, id: string) {
  const where = allOf(condition(sql`m.id = ${id}`), ...inProjects('m.projectCode', projectsFor(ctx)))
  const { rows } = await sql<Raw>`select m.*, j.name as project_name from material_batch m join project j on j.project_code = m.project_code
    where ${where}`.execute(ctx.db)
  const batch = found(rows[0], '物资批次')
  const events = await sql<Event>`select e.action, e.at, e.quantity, e.part, e.sample_no, e.report_no, e.files, e.by_name
    from material_event e where e.batch_id = ${id} order by e.seq`.execute(ctx.db)
  const tickets = await sql<{
    billNo: string
    plateNo: string
    weighedAt: Date
  }>`select w.bill_no, w.plate_no, w.weighed_at from material_weigh w
    where w.batch_id = ${id} and w.direction = 'in' order by w.weighed_at`.execute(ctx.db)
  return { batch, events: events.rows, tickets: tickets.rows }
}

async function namesOf(ctx: Pick<Context, 'system'>, ids: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; name: string }>`select f.id, f.name from stored_file f where f.id = any (${[...ids]})`.execute(
    ctx.system,
  )
  return new Map(rows.map((one) => [one.id, one.name]))
}

export const readGood: HandlerOf<typeof contract.getGoods> = async ({ params: { id }, query }, ctx) => {
  await seesProject(ctx, query.projectCode)
  const { batch, events, tickets } = await chainOf(ctx, id)
  const names = await namesOf(ctx, [...batch.certFiles, ...events.flatMap((one) => one.files)])
  const links = (ids: readonly string[]) => linksOf(ctx, ids).map((url, i) => ({ url, name: names.get(ids[i] ?? '') ?? '附件' }))
  const of = (key: GoodsStep['key']) => events.filter((one) => stepOf[one.action] === key)
  const filesOf = (key: GoodsStep['key']) => links([...new Set(of(key).flatMap((one) => one.files))])
  const last = (key: GoodsStep['key']) => {
    const one = of(key).at(-1)
    return one ? `${formatInstant(one.at).slice(0, 16)} ${one.byName}` : ''
  }
  const parts = [...new Set(of('use').flatMap((one) => (one.part ? [one.part] : [])))]
  const seals = of('sample').flatMap((one) => (one.sampleNo ? [one.sampleNo] : []))
  const steps: GoodsStep[] = [
    {
      key: 'weigh',
      name: '过磅',
      state: tickets.length > 0 ? 'done' : 'none',
      words: tickets.map((one) => `${one.billNo} ${one.plateNo}`).join('、') || '没有磅单',
      files: filesOf('weigh'),
    },
    {
      key: 'accept',
      name: '进场验收',
      state: batch.state === '0' ? 'waiting' : 'done',
      words: batch.state === '0' ? '待验收' : `${materialStates[batch.state]} ${last('accept')}`,
      files: filesOf('accept'),
    },
    {
      key: 'sample',
      name: '见证取样',
      state: !batch.needRetest ? 'none' : batch.samplesTaken >= batch.samplesDue ? 'done' : 'waiting',
      words: batch.needRetest ? `已取 ${batch.samplesTaken} / ${batch.samplesDue} 组 ${seals.join('、')}` : '不需复验',
      files: filesOf('sample'),
    },
    {
      key: 'retest',
      name: '复验',
      state: !batch.needRetest ? 'none' : batch.retestPassed === null ? 'waiting' : 'done',
      words: !batch.needRetest
        ? '不需复验'
        : batch.retestPassed === null
          ? '未出合格报告，不得使用'
          : `${batch.retestPassed ? '合格' : '不合格'} 报告 ${batch.reportNo ?? ''}`,
      files: filesOf('retest'),
    },
    {
      key: 'use',
      name: '使用部位',
      state: parts.length > 0 ? 'done' : 'none',
      words: parts.join('、') || (batch.usePart ? `计划用于 ${batch.usePart}` : '尚未使用'),
      files: filesOf('use'),
    },
  ]
  return { ...toRow(batch), certs: links(batch.certFiles), steps, link: `/material/details?id=${id}` }
}

export const zipGoods =
  (folder: string): HandlerOf<typeof contract.zipGoods> =>
  async ({ params: { id }, query }, ctx) => {
    await seesProject(ctx, query.projectCode)
    const { batch, events } = await chainOf(ctx, id)
    const all = [
      ...batch.certFiles.map((file) => ({ file, step: '合格证' })),
      ...events.flatMap((one) => one.files.map((file) => ({ file, step: stepNames[stepOf[one.action] ?? 'accept'] }))),
    ]
    if (all.length === 0) throw new AppError('refused', '本批次还没有资料')
    const ids = all.map((one) => one.file)
    const [paths, names] = [await filePaths(ctx, folder, ids), await namesOf(ctx, ids)]
    return zipped(
      `批次资料_${inArchive(batch.batchNo ?? batch.name)}.zip`,
      all.map(({ file, step }) => ({ name: `${step}/${names.get(file) ?? file}`, path: paths.get(file) })),
    )
  }
const stepNames: Readonly<Record<GoodsStep['key'], string>> = {
  weigh: '过磅',
  accept: '进场验收',
  sample: '见证取样',
  retest: '复验',
  use: '使用部位',
}
