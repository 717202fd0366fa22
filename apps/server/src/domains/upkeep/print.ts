import { dictName } from '@zhugong/contract/settings/dictionaries'
import { getMachineCheck } from '@zhugong/contract/upkeep/inspections'
import { getMaintenance } from '@zhugong/contract/upkeep/maintenance'
import type { z } from 'zod'
import { formatInstant } from '#kit/clock'
import { found } from '#kit/context'
import { Pdf } from '#kit/pdf'
import { problemsOf } from '../checks/public.ts'
import { type PrintContext, registerPrint } from '../exports/registry.ts'
import { fileIdsOf } from '../files/public.ts'
import { drawnSeats } from '../process/public.ts'
import { inspectKind } from './inspect-kind.ts'
import { inspectionFor, toInspection } from './inspect-rows.ts'
import { machineOf } from './machine-of.ts'
import { maintainKind } from './maintain-kind.ts'
import { maintenanceFor, toMaintenance } from './maintain-rows.ts'

type Query = { id: string }

/** Keeps a sheet short; all photos are on the page. */
const mostPhotos = 9

/** 设备检查表 and 维保记录: what the record says, item by item, with signatures. */
export function registerUpkeepPrints(): void {
  registerPrint({
    feature: 'deviceInspectSheet',
    title: '设备检查表',
    query: getMachineCheck.schemas.params as z.ZodType<Query>,
    draw: drawInspection,
  })
  registerPrint({
    feature: 'deviceMaintenanceSheet',
    title: '设备维保记录',
    query: getMaintenance.schemas.params as z.ZodType<Query>,
    draw: drawMaintenance,
  })
}

async function drawInspection(ctx: PrintContext, { id }: Query): Promise<Pdf> {
  const raw = found(await inspectionFor(ctx, id), '设备检查')
  const row = toInspection(ctx, raw)
  const machine = await machineOf(ctx, raw.stayId)
  const problems = await problemsOf(ctx, id)
  const pdf = new Pdf({
    title: '设备检查表',
    subtitle: `${row.projectName}　${row.machineName}`,
    foot: `${row.code}　打印 ${formatInstant(ctx.clock.now())}　${ctx.user.name}`,
  })
  pdf.facts([
    ['编号', row.code],
    ['设备', `${row.machineName}（${row.deviceTypeName} ${machine.model}）`],
    ['产权备案编号', machine.recordNo],
    ['安装位置', machine.position],
    ['检查类型', row.typeName],
    ['检查时间', row.checkDate],
    ['检查单位', row.checkOrg],
    ['检查人', row.checkers.join('、')],
    ['结论', row.resultName],
    ['下次检查', row.nextDate],
    ['停用', raw.suspendedAt && `${formatInstant(raw.suspendedAt)} 起${raw.releasedAt ? `，${formatInstant(raw.releasedAt)} 解除` : ''}`],
    ['检查情况', raw.remark],
  ])
  pdf.heading('检查项')
  await pdf.table(
    [
      { title: '序号', width: 5, align: 'center', value: (one) => one.no },
      { title: '分组', width: 12, value: (one) => one.group },
      { title: '检查内容', width: 40, value: (one) => one.name },
      { title: '结果', width: 9, align: 'center', value: (one) => dictName('itemResult', one.result) ?? one.result },
      { title: '说明', width: 24, value: (one) => one.note ?? '' },
    ],
    raw.items.map((one, i) => ({ ...one, no: i + 1 })),
  )
  if (problems.length > 0) {
    pdf.heading('问题与整改')
    await pdf.table(
      [
        { title: '序号', width: 5, align: 'center', value: (p) => p.seq },
        { title: '问题', width: 30, value: (p) => p.description },
        { title: '整改要求', width: 24, value: (p) => p.requirement },
        { title: '责任单位 / 整改人', width: 18, value: (p) => [p.corpName, p.person].filter(Boolean).join(' / ') },
        { title: '期限', width: 10, value: (p) => p.deadline },
        { title: '结果', width: 10, value: (p) => (p.mended ? '当场改正' : (p.notice?.stateName ?? '')) },
      ],
      problems,
    )
  }
  await drawPhotos(ctx, pdf, [
    ...raw.photos.map((file) => ({ file, caption: '检查照片' })),
    ...problems.flatMap((p) => fileIdsOf(p.photos).map((file) => ({ file, caption: `问题 ${p.seq}` }))),
  ])
  pdf.signed(await drawnSeats(ctx, inspectKind, raw))
  return pdf
}

async function drawMaintenance(ctx: PrintContext, { id }: Query): Promise<Pdf> {
  const raw = found(await maintenanceFor(ctx, id), '设备维保')
  const row = toMaintenance(ctx, raw)
  const pdf = new Pdf({
    title: '设备维保记录',
    subtitle: `${row.projectName}　${row.machineName}`,
    foot: `${row.code}　打印 ${formatInstant(ctx.clock.now())}　${ctx.user.name}`,
  })
  pdf.facts([
    ['编号', row.code],
    ['设备', `${row.machineName}（${row.deviceTypeName}）`],
    ['维保类型', row.typeName],
    ['维保日期', [row.maintainDate, row.startTime && `${row.startTime}–${row.endTime ?? ''}`].filter(Boolean).join(' ')],
    ['维保单位', row.maintainCorp],
    ['结果', row.resultName],
    ['下次维保', row.nextDate],
    ['验收人', row.acceptor],
    ['存疑', row.doubts.join('；')],
    ['登记', `${raw.createName} ${formatInstant(raw.createTime)}`],
  ])
  pdf.heading('维保内容')
  pdf.paragraph(row.content)
  pdf.heading('维保人员')
  await pdf.table(
    [
      { title: '姓名', width: 20, value: (one) => one.name },
      { title: '证号', width: 30, value: (one) => one.certNo ?? '' },
      { title: '有效期至', width: 20, value: (one) => one.certEnd ?? (one.certNo ? '长期' : '') },
      { title: '核验', width: 20, value: (one) => certWords(one.verified) },
    ],
    row.maintainers,
  )
  if (row.parts.length > 0) {
    pdf.heading('更换部件')
    await pdf.table(
      [
        { title: '名称', width: 30, value: (one) => one.name },
        { title: '规格型号', width: 24, value: (one) => one.model ?? '' },
        { title: '编号', width: 24, value: (one) => one.number ?? '' },
        { title: '数量', width: 10, align: 'right', value: (one) => one.count },
        { title: '合格证', width: 12, align: 'center', value: (one) => (one.certificates.length ? `${one.certificates.length} 份` : '无') },
      ],
      row.parts,
    )
  }
  await drawPhotos(
    ctx,
    pdf,
    raw.photos.map((file) => ({ file, caption: '维保照片' })),
  )
  pdf.signed(await drawnSeats(ctx, maintainKind, raw))
  return pdf
}

const certWords = (verified: boolean | null): string => (verified === null ? '未在实名制登记' : verified ? '有效' : '当日无效')

async function drawPhotos(ctx: PrintContext, pdf: Pdf, wanted: readonly { file: string; caption: string }[]): Promise<void> {
  const read = wanted.slice(0, mostPhotos).map(async ({ file, caption }) => ({ body: await ctx.picture(file), caption }))
  const taken = (await Promise.all(read)).flatMap(({ body, caption }) => (body ? [{ body, caption }] : []))
  if (taken.length === 0) return
  pdf.heading('照片')
  pdf.pictures(taken)
}
