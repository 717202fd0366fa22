import { dustList, getDustCheck } from '@zhugong/contract/dustchecks/calls'
import { AppError } from '@zhugong/contract/kit/errors'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import type { z } from 'zod'
import { formatInstant } from '#kit/clock'
import { found } from '#kit/context'
import { Pdf } from '#kit/pdf'
import { problemsOf } from '../checks/public.ts'
import { exportOf, type PrintContext, registerPrint } from '../exports/registry.ts'
import { fileIdsOf } from '../files/public.ts'
import { countDust, dustConditions, dustFor, readDust, toDust } from './rows.ts'

type Query = { id: string }
/** Keeps the sheet short; all photos are on the page. */
const mostPhotos = 12

export function registerDustExports(): void {
  exportOf(
    dustList,
    {
      title: '扬尘检查日报',
      widths: { code: 26, projectName: 28, checkTime: 20, failItems: 40 },
      async *rows(ctx, query) {
        for (const row of await readDust(ctx, dustConditions(ctx, query), { sort: query.sort })) yield toDust(ctx, row)
      },
      count: (ctx, query) => countDust(ctx, dustConditions(ctx, query)),
    },
    {
      checkers: (r) => r.checkers.join('、'),
      responseLevel: (r) => r.responseLevelName,
      weather: (r) => r.weatherName,
      failItems: (r) => r.failItems.join('、'),
      result: (r) => r.resultName,
      state: (r) => r.stateName,
    },
  )
  registerPrint({ feature: 'dustSheet', title: '扬尘检查记录表', query: getDustCheck.schemas.params as z.ZodType<Query>, draw })
}

const shown = (value: number | null | undefined, unit: string) => (value === null || value === undefined ? '无数据' : `${value} ${unit}`)

async function draw(ctx: PrintContext, { id }: Query): Promise<Pdf> {
  const raw = found(await dustFor(ctx, id), '扬尘检查')
  if (raw.code === null) throw new AppError('refused', '草稿尚未提交，不能打印')
  const row = toDust(ctx, raw)
  const problems = await problemsOf(ctx, id)
  const { evidence } = raw
  const pdf = new Pdf({
    title: '扬尘检查记录表',
    subtitle: row.projectName,
    foot: `${raw.code}　打印 ${formatInstant(ctx.clock.now())}　${ctx.user.name}`,
  })
  pdf.facts([
    ['编号', raw.code],
    ['检查时间', row.checkTime],
    ['检查单位', row.checkerGroupName],
    ['检查人', row.checkers.join('、')],
    ['响应等级', row.responseLevelName],
    ['天气', row.weatherName],
    ['现场 PM10', shown(row.pm10, 'μg/m³')],
    ['达标率', shown(row.passRate, '%')],
    ['结论', row.resultName],
    ['检查情况', raw.remark],
  ])
  if (evidence) {
    pdf.heading('平台证据')
    pdf.facts([
      ['监测设备', `${evidence.online} / ${evidence.stations} 台在线`],
      ['PM10 小时均值', shown(evidence.pm10Hour, 'μg/m³')],
      ['出场冲洗率', shown(evidence.washedRate, '%')],
      ['密闭率', shown(evidence.coveredRate, '%')],
      ['当日喷淋', shown(evidence.sprayRuns, '次')],
      ['前后一小时扬尘告警', `${evidence.alarms} 次`],
    ])
  }
  pdf.heading('检查项')
  await pdf.table(
    [
      { title: '检查项', width: 44, value: (one) => dictName('dustCheckItem', one.code) ?? one.code },
      { title: '结果', width: 12, align: 'center', value: (one) => dictName('itemResult', one.result) ?? one.result },
      { title: '说明', width: 30, value: (one) => one.note ?? '' },
    ],
    raw.items,
  )
  if (problems.length > 0) {
    pdf.heading('问题与整改')
    await pdf.table(
      [
        { title: '问题', width: 32, value: (p) => p.description },
        { title: '整改要求', width: 24, value: (p) => p.requirement },
        { title: '责任单位 / 整改人', width: 18, value: (p) => [p.corpName, p.person].filter(Boolean).join(' / ') },
        { title: '期限', width: 10, value: (p) => p.deadline },
        { title: '结果', width: 10, value: (p) => (p.mended ? '当场改正' : (p.notice?.stateName ?? '')) },
      ],
      problems,
    )
  }
  const wanted = [
    ...raw.items.flatMap((one) => one.photos.map((file) => ({ file, caption: dictName('dustCheckItem', one.code) ?? one.code }))),
    ...problems.flatMap((p) => fileIdsOf(p.photos).map((file) => ({ file, caption: `问题 ${p.seq}` }))),
  ]
  const read = wanted.slice(0, mostPhotos).map(async ({ file, caption }) => ({ body: await ctx.picture(file), caption }))
  const taken = (await Promise.all(read)).flatMap(({ body, caption }) => (body ? [{ body, caption }] : []))
  if (taken.length > 0) {
    pdf.heading('照片')
    pdf.pictures(taken)
  }
  return pdf
}
