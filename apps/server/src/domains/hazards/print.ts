import { hazardCard, hazardCards } from '@zhugong/contract/hazards/calls'
import { permitTypes, roles } from '@zhugong/contract/hazards/permit-rules'
import { permitPrint } from '@zhugong/contract/hazards/permits'
import { AppError } from '@zhugong/contract/kit/errors'
import { sql } from 'kysely'
import type { z } from 'zod'
import { formatInstant } from '#kit/clock'
import { found } from '#kit/context'
import { Pdf } from '#kit/pdf'
import { type PrintContext, registerPrint } from '../exports/registry.ts'
import { drawnSeats, drawVerifyCode, registerPaper } from '../process/public.ts'
import { readHazardRow } from './hazard-kind.ts'
import { hazardFor } from './hazard-rows.ts'
import { approverOf, permitContent, permitKind, readPermitRow } from './permit-kind.ts'
import { permitFor } from './permit-rows.ts'

type Query = z.output<typeof permitPrint>

/** 风险告知牌 and 作业票, each with a code that anybody on the site may scan. */
export function registerHazardPrints(publicUrl?: string): void {
  registerPrint({
    feature: 'hazardCard',
    title: '风险告知牌',
    query: hazardCard as z.ZodType<Query>,
    several: hazardCards.transform(({ ids }) => ids.map((id) => ({ id }))) as unknown as z.ZodType<readonly Query[]>,
    draw: (ctx, query) => drawCard(ctx, query, publicUrl),
  })
  registerPrint({
    feature: 'workPermitSheet',
    title: '危险作业票',
    query: permitPrint as z.ZodType<Query>,
    draw: (ctx, query) => drawPermit(ctx, query, publicUrl),
  })
  registerPaper('hazard', async ({ db }, id) => {
    const { rows } = await sql<{ projectName: string; issuer: string; at: Date; state: string }>`select p.name as project_name,
        h.author_group_name as issuer, h.create_time as at, h.state
      from hazard_source h join project p using (project_code) where h.id = ${id} and h.shown_at is not null`.execute(db)
    const head = rows[0]
    if (!head) return undefined
    const row = await readHazardRow({ db } as Pick<PrintContext, 'db'>, id)
    return {
      title: `风险告知牌：${row.name}（${row.riskLevel} 级），${row.part}`,
      number: row.id.slice(0, 8).toUpperCase(),
      issuer: head.issuer,
      date: head.at,
      projectName: head.projectName,
      revoked: head.state === '3',
      content: cardContent(row),
    }
  })
  registerPaper('permit', async ({ db }, id) => {
    const { rows } = await sql<{ projectName: string }>`select p.name as project_name from work_permit w join project p using (project_code)
      where w.id = ${id} and w.code is not null`.execute(db)
    const head = rows[0]
    if (!head) return undefined
    const row = await readPermitRow({ db } as Pick<PrintContext, 'db'>, id)
    const guardian = row.facts.people.find((one) => one.role === 'guardian')?.name ?? '--'
    const time = `${formatInstant(row.startTime).slice(5, 16)} 至 ${formatInstant(row.endTime).slice(5, 16)}`
    return {
      // Who holds no right here learns type, place, time and guardian, and no more.
      title: `${permitTypes[row.type]?.name ?? '作业'}票：${row.part}，${time}，监护人 ${guardian}`,
      number: row.code ?? '',
      issuer: row.authorGroupName,
      date: row.startTime,
      projectName: head.projectName,
      revoked: row.state === '5',
      content: permitContent(row),
    }
  })
}

type Card = Awaited<ReturnType<typeof readHazardRow>>
const cardContent = ({ name, hazardSource, part, riskLevel, controlLevel, measures, responsible }: Card) => ({
  name,
  hazardSource,
  part,
  riskLevel,
  controlLevel,
  measures,
  responsible,
})

async function drawCard(ctx: PrintContext, { id }: Query, publicUrl: string | undefined): Promise<Pdf> {
  const row = found(await hazardFor(ctx, id), '危险源')
  if (row.state === '0') throw new AppError('refused', '草稿尚未提交，不能打印')
  const hazard = await readHazardRow(ctx, id)
  const words = ['', '重大风险（红）', '较大风险（橙）', '一般风险（黄）', '低风险（蓝）'][Number(row.riskLevel)] ?? ''
  const pdf = new Pdf({
    title: '安全风险告知牌',
    subtitle: row.projectName,
    foot: `打印 ${formatInstant(ctx.clock.now())}　${ctx.user.name}`,
  })
  pdf.heading(`${row.name}　${row.riskLevel} 级 ${words}`)
  pdf.facts([
    ['部位', row.placeName ? `${row.placeName} ${row.part}` : row.part],
    ['可能的伤害', row.hazardSourceNames.join('、')],
    ['管控层级', row.controlLevelName],
    ['责任单位', row.corpName],
    ['责任人', row.responsible],
    ['巡查频次', `每 ${row.checkEvery} 天`],
    ['危大工程', row.bigProjectName],
    ['起止', `${row.startDate} 至 ${row.endDate ?? '解除'}`],
  ])
  pdf.heading('控制措施')
  hazard.measures.forEach((text, i) => {
    pdf.paragraph(`${i + 1}. ${text}`)
  })
  drawVerifyCode(pdf, ctx.secrets, publicUrl, { name: 'hazard', id, content: cardContent(hazard) })
  return pdf
}

const approverNames = { gang: '班组长', safety: '安全员', manager: '项目负责人' } as const

async function drawPermit(ctx: PrintContext, { id }: Query, publicUrl: string | undefined): Promise<Pdf> {
  const row = found(await permitFor(ctx, id), '作业票')
  if (row.code === null) throw new AppError('refused', '草稿尚未提交，不能打印')
  const permit = await readPermitRow(ctx, id)
  const pdf = new Pdf({
    title: `${row.level ?? ''}${row.typeName}票`,
    subtitle: row.projectName,
    foot: `${row.code}　打印 ${formatInstant(ctx.clock.now())}　${ctx.user.name}`,
  })
  const at = (instant: Date | null) => instant && formatInstant(instant).slice(0, 16)
  pdf.facts([
    ['编号', row.code],
    ['作业单位', row.corpName],
    ['作业内容', row.content],
    ['部位', row.placeName ? `${row.placeName} ${row.part}` : row.part],
    ['开始', row.startTime.slice(0, 16)],
    ['结束', row.endTime.slice(0, 16)],
    ['监护人', row.guardian],
    ['状态', row.late ? `${row.stateName}（曾超时）` : row.stateName],
    [`批准（${approverNames[approverOf(permit)]}）`, permit.approvedBy && `${permit.approvedBy}　${at(permit.approvedAt)}`],
    ['开工', at(permit.startedAt)],
    ['动火结束', at(permit.endedAt)],
    ['完工确认', at(permit.closedAt)],
  ])
  pdf.heading('人员')
  await pdf.table(
    [
      { title: '岗位', width: 20, value: (p) => roles[p.role] },
      { title: '姓名', width: 24, value: (p) => p.name },
      { title: '班组', width: 36, value: (p) => p.teamName },
      { title: '备注', width: 20, value: (p) => (p.until ? `至 ${formatInstant(p.until).slice(5, 16)}` : '') },
    ],
    permit.people,
  )
  const { rows: measures } = await sql<{ text: string; done: boolean }>`
    select text, done from work_permit_measure where permit_id = ${id} order by seq`.execute(ctx.db)
  pdf.heading('安全措施')
  await pdf.table(
    [
      { title: '措施', width: 84, value: (m) => m.text },
      { title: '确认', width: 16, value: (m) => (m.done ? '已确认' : '未确认') },
    ],
    measures,
  )
  pdf.signed(await drawnSeats(ctx, permitKind, permit))
  drawVerifyCode(pdf, ctx.secrets, publicUrl, { name: 'permit', id, content: permitContent(permit) })
  return pdf
}
