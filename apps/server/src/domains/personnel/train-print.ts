import { AppError } from '@zhugong/contract/kit/errors'
import { trainCardPrint, trainSheetPrint } from '@zhugong/contract/personnel/training'
import { sql } from 'kysely'
import type { z } from 'zod'
import { formatInstant } from '#kit/clock'
import { Pdf } from '#kit/pdf'
import { type ListContext, registerPrint } from '../exports/registry.ts'
import { cardOf } from './train-card.ts'
import { sessionOf } from './train-sessions.ts'

type Sheet = z.output<typeof trainSheetPrint>
type Cards = z.output<typeof trainCardPrint>

/** Documents signed on paper: the attendance sheet of a session, and the three-level education cards. */
export function registerTrainPrints(): void {
  registerPrint({ feature: 'trainingSheet', title: '培训签到表', query: trainSheetPrint as z.ZodType<Sheet>, draw: drawSheet })
  registerPrint({ feature: 'trainingCard', title: '三级安全教育登记卡', query: trainCardPrint as z.ZodType<Cards>, draw: drawCards })
}

async function drawSheet(ctx: ListContext, { id }: Sheet): Promise<Pdf> {
  const s = await sessionOf(ctx, id)
  const pdf = new Pdf({
    title: '安全教育培训签到表',
    subtitle: s.projectName ?? s.projectCode,
    foot: `出具 ${formatInstant(ctx.clock.now())}　${ctx.user.name}`,
  })
  pdf.facts([
    ['培训名称', s.name],
    ['培训类型', s.typeName],
    ['时间', s.startTime.slice(0, 16)],
    ['学时', `${s.duration} 学时`],
    ['组织单位', s.corpName],
    ['授课人', s.trainer],
    ['地点', s.address],
    ['人数', s.closed ? `${s.people} 人，合格 ${s.passed} 人` : `${s.people} 人`],
  ])
  pdf.heading('培训内容')
  pdf.paragraph(s.content)
  pdf.heading('参训人员')
  const numbered = s.workers.map((w, i) => ({ ...w, no: i + 1 }))
  await pdf.table(
    [
      { title: '序号', width: 6, align: 'center', value: (w) => w.no },
      { title: '姓名', width: 12, value: (w) => w.name },
      { title: '班组', width: 18, value: (w) => w.teamName },
      { title: '工种或岗位', width: 16, value: (w) => w.workTypeName },
      { title: '成绩', width: 8, align: 'right', value: (w) => w.score },
      { title: '结果', width: 10, align: 'center', value: (w) => (w.passed === null ? '' : w.passed ? '合格' : '不合格') },
      { title: '本人签名', width: 24, value: () => '' },
    ],
    numbered,
  )
  pdf.signatures(['授课人', '安全员', '项目负责人'])
  return pdf
}

async function drawCards(ctx: ListContext, { ids }: Cards): Promise<Pdf> {
  const { rows } = await sql<{ id: string; workerId: string }>`
    select id, worker_id from project_worker where id = any (${ids}) order by team_id, worker_name, id`.execute(ctx.db)
  if (rows.length < new Set(ids).size) throw new AppError('notFound', '人员不存在或不在您的管辖范围内')
  const pdf = new Pdf({ title: '三级安全教育登记卡', foot: `出具 ${formatInstant(ctx.clock.now())}　${ctx.user.name}` })
  for (const [i, { id, workerId }] of rows.entries()) {
    if (i > 0) pdf.nextPage()
    const card = await cardOf(ctx, workerId, id)
    pdf.facts([
      ['姓名', card.name],
      ['性别 / 年龄', `${card.gender ?? '--'} / ${card.age}`],
      ['证件号码', card.idCardNumber],
      ['工种或岗位', card.stay?.workTypeName],
      ['单位', card.stay?.corpName],
      ['班组', card.stay?.teamName],
      ['项目', card.stay?.projectName],
      ['进场日期', card.stay?.entryTime.slice(0, 10)],
    ])
    for (const level of card.levels) {
      pdf.heading(`${level.title}（不少于 ${level.least} 学时）`)
      pdf.paragraph(level.content ?? '培训内容：')
      pdf.facts([
        ['日期', level.date],
        ['学时', level.hours || null],
        ['授课人', level.trainer],
        ['成绩', level.date ? `${level.score ?? '--'}　${level.passed ? '合格' : '不合格'}` : null],
      ])
      pdf.signatures(['授课人', '受教育人'])
    }
  }
  return pdf
}
