import { getSecurityCheck } from '@zhugong/contract/checks/security-check'
import { AppError } from '@zhugong/contract/kit/errors'
import { sql } from 'kysely'
import type { z } from 'zod'
import { formatInstant } from '#kit/clock'
import { found } from '#kit/context'
import { Pdf } from '#kit/pdf'
import { type PrintContext, registerPrint } from '../exports/registry.ts'
import { fileIdsOf } from '../files/public.ts'
import { drawnSeats } from '../process/public.ts'
import type { Check, Patrol, PatrolKind } from './patrol-kind.ts'
import { checkFor } from './patrol-rows.ts'
import { problemsOf } from './problems.ts'

type Query = NonNullable<(typeof getSecurityCheck)['types']>['parsed']['params']

/** Keeps the sheet short; all photos are on the page of the check. */
const mostPhotos = 12

interface Sheet {
  feature: string
  patrol: Patrol
  kind: PatrolKind
  /** For an archive of several: parses its query to those of the single sheets. */
  several?: z.ZodType<readonly Query[]>
  /** What one kind of patrol says beside its problems. */
  more?: (ctx: PrintContext, pdf: Pdf, id: string) => Promise<void>
}

/** 检查记录表 of one kind of patrol: what was checked and found, by whom, and where each problem stands. */
export function registerPatrolPrint(sheet: Sheet): void {
  registerPrint({
    feature: sheet.feature,
    title: `${sheet.patrol.noun}记录表`,
    query: getSecurityCheck.schemas.params as z.ZodType<Query>,
    several: sheet.several,
    draw: (ctx, query) => draw(ctx, sheet, query),
  })
}

async function draw(ctx: PrintContext, { patrol, kind, more }: Sheet, { id }: Query): Promise<Pdf> {
  const check = found(await checkFor(ctx, patrol.kind, id), patrol.noun)
  if (check.code === null) throw new AppError('refused', '草稿尚未提交，不能打印')
  const problems = await problemsOf(ctx, id)
  const pdf = new Pdf({
    title: `${patrol.noun}记录表`,
    subtitle: check.projectName,
    foot: `${check.code}　打印 ${formatInstant(ctx.clock.now())}　${ctx.user.name}`,
  })
  pdf.facts([
    ['编号', check.code],
    ['检查类型', check.inspectTypeName],
    ['检查时间', check.checkTime],
    ['检查部位', check.part],
    ['检查单位', check.checkerGroupName],
    ['检查人', check.checkers.join('、')],
    ['受检单位', check.corpNames.join('、')],
    ['状态', check.stateName],
    ['问题', problems.length === 0 ? '未发现问题' : `${problems.length} 个，已闭合 ${check.passedCount} 个`],
    ['隐患等级', check.dangerLevelName],
  ])
  await more?.(ctx, pdf, id)
  if (problems.length > 0) {
    pdf.heading('问题与整改')
    await pdf.table(
      [
        { title: '序号', width: 5, align: 'center', value: (p) => p.seq },
        { title: '部位', width: 14, value: ({ part, placeName }) => (placeName && placeName !== part ? `${part}（${placeName}）` : part) },
        { title: '问题', width: 26, value: (p) => p.description },
        { title: '整改要求', width: 22, value: (p) => p.requirement },
        { title: '责任单位 / 整改人', width: 18, value: (p) => [p.corpName, p.person].filter(Boolean).join(' / ') },
        { title: '期限', width: 10, value: (p) => p.deadline },
        { title: '结果', width: 10, value: (p) => (p.mended ? '当场改正' : (p.notice?.stateName ?? '')) },
      ],
      problems,
    )
  }
  const wanted = problems.flatMap((p) => [
    ...fileIdsOf(p.photos).map((file) => ({ file, caption: `问题 ${p.seq}　整改前` })),
    ...fileIdsOf(p.mendedPhotos).map((file) => ({ file, caption: `问题 ${p.seq}　改正后` })),
  ])
  const read = wanted.slice(0, mostPhotos).map(async ({ file, caption }) => ({ body: await ctx.picture(file), caption }))
  const taken = (await Promise.all(read)).flatMap(({ body, caption }) => (body ? [{ body, caption }] : []))
  if (taken.length > 0) {
    pdf.heading('照片')
    pdf.pictures(taken)
  }
  const { rows } = await sql<Check>`select * from site_check where id = ${id}`.execute(ctx.db)
  pdf.signed(await drawnSeats(ctx, kind, found(rows[0], patrol.noun)))
  return pdf
}
