import { type DossierPart, dossierParts, dossierPrint } from '@zhugong/contract/personnel/dossier'
import { consentKinds, openEndOf } from '@zhugong/contract/personnel/rules'
import type { z } from 'zod'
import { Pdf } from '#kit/pdf'
import { type ListContext, registerPrint } from '../exports/registry.ts'
import { dossierOf } from './dossier.ts'

type Query = z.output<typeof dossierPrint>

/** Printed 一人一档 (personal dossier). An empty section is printed with a note that it is empty. */
export function registerDossierPrint(): void {
  registerPrint({ feature: 'workerDossier', title: '一人一档', query: dossierPrint as z.ZodType<Query>, draw })
}

async function draw(ctx: ListContext, { id, parts }: Query): Promise<Pdf> {
  const d = await dossierOf(ctx, id)
  const wanted = (part: DossierPart) => !parts?.length || parts.includes(part)
  const pdf = new Pdf({
    title: '建筑从业人员档案（一人一档）',
    subtitle: `${d.name}　${d.stay ?? '当前不在本单位项目'}`,
    foot: `档案编号 ${d.sheetNo}　出具 ${d.madeAt}　${ctx.user.name}`,
  })
  const section = async (part: DossierPart, count: number, write: () => unknown) => {
    if (!wanted(part)) return
    pdf.heading(dossierParts[part])
    if (count === 0) pdf.paragraph('无记录')
    else await write()
  }
  await section('identity', 1, () => {
    pdf.facts([
      ['姓名', d.name],
      ['性别 / 年龄', `${d.gender ?? '--'} / ${d.age}`],
      ['民族', d.nation],
      ['籍贯', d.nativePlace],
      ['证件', `${d.idCardType ?? ''} ${d.idCardNumber}`.trim()],
      ['证件有效期', d.idCardValid],
      ['住址', d.address],
      ['文化程度', d.education],
      ['手机', d.cellPhone],
      ['紧急联系人', d.urgent],
      ['工种', d.workType],
      ['实名核验', d.realName],
    ])
  })
  await section('career', d.career.length, () =>
    pdf.table(
      [
        { title: '起止', width: 22, value: (r) => `${r.entryTime} 至 ${r.exitTime ?? '今'}` },
        { title: '项目', width: 30, value: (r) => r.projectName },
        { title: '单位', width: 24, value: (r) => r.corpName },
        { title: '班组', width: 14, value: (r) => r.teamName },
        { title: '工种', width: 12, value: (r) => r.workTypeName },
        { title: '出勤', width: 8, align: 'right', value: (r) => r.attendDays },
        { title: '来源', width: 10, value: (r) => (r.source === 'own' ? '本人自填' : '进退场') },
      ],
      d.career,
    ),
  )
  await section('contracts', d.contracts.length, () =>
    pdf.table(
      [
        { title: '编号', width: 20, value: (k) => k.contractCode },
        { title: '类别', width: 14, value: (k) => k.contractKindName },
        { title: '单位', width: 26, value: (k) => k.corpName },
        { title: '期限', width: 24, value: (k) => `${k.startDate} 至 ${k.terminateDate ?? k.endDate ?? openEndOf(k.contractPeriodType)}` },
        { title: '签订', width: 12, value: (k) => `${k.signDate}${k.late ? ' 迟签' : ''}` },
      ],
      d.contracts,
    ),
  )
  await section('certs', d.certs.length, () =>
    pdf.table(
      [
        { title: '证书', width: 26, value: (c) => c.name },
        { title: '编号', width: 22, value: (c) => c.certNo },
        { title: '发证机关', width: 26, value: (c) => c.grantOrg },
        { title: '有效期', width: 22, value: (c) => `${c.issueDate} 至 ${c.validEnd ?? '长期'}` },
        { title: '审核', width: 10, value: (c) => c.auditStatusName },
      ],
      d.certs,
    ),
  )
  await section('trainings', d.trainings.length, () =>
    pdf.table(
      [
        { title: '日期', width: 12, value: (t) => t.trainDate },
        { title: '类型', width: 18, value: (t) => t.typeName },
        { title: '名称', width: 26, value: (t) => t.name },
        { title: '学时', width: 8, align: 'right', value: (t) => t.hours },
        { title: '成绩', width: 8, align: 'right', value: (t) => t.score },
        { title: '结果', width: 8, value: (t) => (t.passed ? '合格' : '不合格') },
        { title: '授课人', width: 12, value: (t) => t.trainer },
      ],
      d.trainings,
    ),
  )
  await section('attendance', d.attendance.length, () =>
    pdf.table(
      [
        { title: '月份', width: 12, value: (m) => m.month },
        { title: '项目', width: 40, value: (m) => m.projectName },
        { title: '出勤天数', width: 12, align: 'right', value: (m) => m.days },
        { title: '工时', width: 12, align: 'right', value: (m) => m.hours },
        { title: '补录天数', width: 12, align: 'right', value: (m) => m.corrected },
      ],
      d.attendance,
    ),
  )
  await section('records', d.records.length, () =>
    pdf.table(
      [
        { title: '日期', width: 12, value: (b) => b.occurrenceDate },
        { title: '行为', width: 20, value: (b) => b.badRecordTypeName },
        { title: '程度', width: 10, value: (b) => b.badRecordLevelName },
        { title: '情况', width: 44, value: (b) => b.reason },
        { title: '审核', width: 10, value: (b) => b.auditStatusName },
        { title: '影响期至', width: 12, value: (b) => b.validUntil },
      ],
      d.records,
    ),
  )
  await section('consents', d.consents.length, () =>
    pdf.table(
      [
        { title: '事项', width: 24, value: (c) => consentKinds[c.kind as keyof typeof consentKinds] ?? c.kind },
        { title: '状态', width: 10, value: (c) => c.state },
        { title: '方式', width: 12, value: (c) => c.way },
        { title: '时间', width: 20, value: (c) => c.time },
        { title: '文本版本', width: 10, value: (c) => c.version },
      ],
      d.consents,
    ),
  )
  pdf.small(`附件：${d.attachments.map((a) => `${a.name} ${a.count} 份`).join('，')}。其他单位项目上的经历不在出具单位的管辖范围，不列入。`)
  pdf.signatures(['本人', '劳务员', '出具单位（盖章）'])
  return pdf
}
