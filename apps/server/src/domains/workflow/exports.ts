import { approvalList } from '@zhugong/contract/home/endpoints'
import { AppError } from '@zhugong/contract/kit/errors'
import { ref } from '@zhugong/contract/kit/fields'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { eventNames } from '@zhugong/contract/workflow/endpoints'
import { flowModes, seatStates, stepStates } from '@zhugong/contract/workflow/flow'
import { sql } from 'kysely'
import { z } from 'zod'
import { formatInstant } from '#kit/clock'
import { Pdf } from '#kit/pdf'
import { exportOf, type PrintContext, pagesOf, registerPrint } from '../exports/registry.ts'
import { mayLook } from './detail.ts'
import { isKnownKind, kindNamed } from './kinds.ts'
import { deciderOf } from './mandates.ts'
import { countApprovals, findApprovals, itemsWithNames, type RawItem } from './rows.ts'
import { currentSteps, seatsOf } from './steps.ts'

export function registerApprovalExports(): void {
  exportOf(
    approvalList,
    {
      title: '审批',
      widths: { title: 36, projectName: 28, createTime: 20, doneTime: 20 },
      rows: (ctx, query) => pagesOf(query, (q) => findApprovals(ctx, q)),
      count: countApprovals,
    },
    {
      bizType: (r) => (isKnownKind(r.kind) ? kindNamed(r.kind).name : r.kind),
      applicant: (r) => r.applicantName,
      createTime: (r) => formatInstant(r.createTime),
      deadline: (r) => r.deadline && formatInstant(r.deadline),
      stay: (r) => Number(r.stay),
      state: (r) => dictName('approvalState', r.state),
      doneTime: (r) => r.doneTime && formatInstant(r.doneTime),
    },
  )
  registerPrint({ feature: 'approvalSheet', title: '审批单', query: z.object({ id: ref('todo') }), draw })
}

const hashShown = 16
const qrSize = 80
const signatureSize = { width: 110, height: 42 }

/** The item as a PDF: the request, who decided and when, signatures, space for a seal, and the data needed to verify it. */
async function draw(ctx: PrintContext, { id }: { id: string }): Promise<Pdf> {
  const { rows } = await sql<RawItem & { stay: number }>`${itemsWithNames(new Date(ctx.clock.now()))} where i.id = ${id}`.execute(ctx.db)
  const item = rows[0]
  const [steps, seats] = [await currentSteps(ctx.db, id), await seatsOf(ctx.db, id)]
  const decider = await deciderOf(ctx)
  if (!item || !(await mayLook(ctx, item, seats, decider))) throw new AppError('notFound', '审批事项不存在或已删除')
  const pdf = new Pdf({
    title: `${isKnownKind(item.kind) ? kindNamed(item.kind).name : ''}审批单`,
    subtitle: `${item.code}　${item.title}`,
    foot: `摘要 ${item.hash.slice(0, hashShown)}　打印 ${formatInstant(ctx.clock.now())}　${ctx.user.name}`,
  })
  pdf.facts([
    ['编号', item.code],
    ['状态', dictName('approvalState', item.state)],
    ['发起单位', item.groupName],
    ['发起人', item.applicantName],
    ['发起时间', formatInstant(item.createTime)],
    ['办结时间', item.doneTime && formatInstant(item.doneTime)],
    ['项目', item.projectName],
  ])
  pdf.heading('内容')
  pdf.facts(item.snapshot.fields.map((f) => [f.label, f.value] as const))
  if (item.snapshot.changes?.length)
    await pdf.table(
      [
        { title: '内容', width: 16, value: (c) => c.label },
        { title: '变更前', width: 30, value: (c) => c.before },
        { title: '变更后', width: 30, value: (c) => c.after },
      ],
      item.snapshot.changes,
    )
  pdf.heading('审批')
  await pdf.table(
    [
      { title: '步骤', width: 18, value: (r) => r.step },
      { title: '审批人', width: 14, value: (r) => r.name },
      { title: '结果', width: 10, value: (r) => r.result },
      { title: '意见', width: 34, value: (r) => r.opinion },
      { title: '时间', width: 20, value: (r) => r.at },
    ],
    steps.flatMap((step) => {
      const said = seats.filter((s) => s.stepId === step.id && s.actedAt !== null)
      const name = `${step.name}（${flowModes[step.node.mode]}）`
      if (said.length === 0)
        return [{ step: name, name: '', result: step.state === stepStates.skipped ? '已合并' : '待审批', opinion: step.note ?? '', at: '' }]
      return said.map((s) => ({
        step: name,
        name: s.actedName ?? '',
        result: s.state === seatStates.agreed ? '同意' : s.state === seatStates.refused ? '驳回' : '转办',
        opinion: s.opinion ?? '',
        at: s.actedAt ? formatInstant(s.actedAt) : '',
      }))
    }),
  )
  const events = await ctx.db.selectFrom('workEvent').selectAll().where('itemId', '=', id).orderBy('seq').execute()
  pdf.heading('经过')
  for (const e of events)
    pdf.small(
      `${formatInstant(e.at)}　${e.userName}　${eventNames[e.action] ?? e.action}　${[e.node, e.note, e.opinion].filter(Boolean).join('，')}`,
    )
  await drawSignatures(ctx, pdf, item)
  pdf.room(qrSize + 40)
  pdf.small('（单位盖章处）', 'right')
  pdf.qr(`/workbench/approvalDetail?id=${item.id}&hash=${item.hash}`, pdf.left, pdf.document.y, qrSize)
  return pdf
}

async function drawSignatures(ctx: PrintContext, pdf: Pdf, item: RawItem): Promise<void> {
  const signatures = await ctx.db.selectFrom('workSignature').selectAll().where('itemId', '=', item.id).orderBy('at').execute()
  if (signatures.length === 0) return
  pdf.heading('签名')
  for (const one of signatures) {
    pdf.room(signatureSize.height + 20)
    pdf.document.image(one.image, pdf.left, pdf.document.y, { fit: [signatureSize.width, signatureSize.height] })
    pdf.small(`${one.userName}　${formatInstant(one.at)}${one.hash === item.hash ? '' : '　内容已变，签名失效'}`)
  }
}
