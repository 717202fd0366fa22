import { groupTypes } from '@zhugong/contract/access/group-types'
import { changeRectify, createRectify, type RectifyDetail } from '@zhugong/contract/rectify/calls'
import { fullStop, type RectifyAction, rectifyMoves } from '@zhugong/contract/rectify/moves'
import { Button } from 'antd'
import { useState } from 'react'
import { askReason } from '#kit/ask.ts'
import { useAct } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { Notice } from '#kit/feedback.tsx'
import { DayInput } from '#kit/inputs.tsx'
import { useGroupType } from '#kit/me.ts'
import { useGo } from '#kit/page.tsx'
import { Handling, type ItemAction, ItemText } from '#kit/work-item.tsx'
import { AssignForm, PassOnForm } from './pass-on.tsx'
import { type Receipt, ReceiptSheet } from './receipt-sheet.tsx'

/** Actions with a form of their own in the main column. */
const inMain: readonly string[] = ['saveReply', 'reply', 'jlPass', 'jlReturn', 'save']

/** Buttons that open a page are called after what is done there. */
const ownLabels: Partial<Record<RectifyAction, string>> = { issue: '修改并下发', recheckPass: '复查', proxyReply: '代录纸质回复' }

/** 整改复查（回头看） in dictionary inspectType. */
const recheck = '08'

/** What the caller may do now, as the server offers it. */
export function RectifyHandling({ file }: { file: RectifyDetail }) {
  const go = useGo()
  const [form, setForm] = useState<'extend' | 'assign' | 'passOn'>()
  const close = () => setForm(undefined)
  const act = useAct(changeRectify, { success: '已办理', onDone: close })
  const mayPassOn = useCan(createRectify)
  const mayPropose = useCan('inspection.badPropose')
  const isBody = useGroupType() === groupTypes.government
  const mayCheck = useCan('supervision.checkAssign')
  const [receipt, setReceipt] = useState<Receipt | undefined>(undefined)
  const key = { id: file.id, version: file.version }
  const may = (action: RectifyAction) => file.actions.some((one) => one.action === action)
  const revoke = async () => {
    const isFull = file.noticeType === fullStop
    const reason = await askReason(isFull ? '撤销全面停工通知：没有其他停工的，项目恢复在建' : '撤销整改通知', '撤销原因')
    if (reason) await act.run({ body: { ...key, action: 'revoke', reason } })
  }
  const editPage = file.origin === 'gov' ? '/safetySupervisionRectification/edit' : '/safetyP/abarbeitung/create'
  const buttons: Partial<Record<RectifyAction, Omit<ItemAction, 'label'>>> = {
    issue: { main: true, run: () => go(editPage, { id: file.id }) },
    sign: { main: true, run: () => setReceipt('sign') },
    serve: { run: () => setReceipt('serve') },
    refuse: { run: () => setReceipt('refuse') },
    start: { run: () => act.run({ body: { ...key, action: 'start' } }) },
    applyExtend: { run: () => setForm('extend') },
    assign: { run: () => setForm('assign') },
    ...(file.origin === 'gov' ? { recheckPass: { main: true, run: () => go('/jgt/project/shenhe', { id: file.id }) } } : {}),
    proxyReply: { run: () => go('/jgt/project/hf', { id: file.id }) },
    urge: { run: () => act.run({ body: { ...key, action: 'urge' } }) },
    revoke: { danger: true, run: revoke },
  }
  const actions = (Object.keys(rectifyMoves) as RectifyAction[]).flatMap((action) => {
    const button = buttons[action]
    return button && may(action) ? [{ ...button, label: ownLabels[action] ?? rectifyMoves[action].label }] : []
  })
  if (file.origin === 'gov' && may('recheckPass') && mayCheck)
    actions.push({
      label: '安排现场复查',
      run: () =>
        go('/jgt/daycheck/edit', { projectCode: file.projectCode, inspectType: recheck, sourceKind: 'rectify', sourceId: file.id }),
    })
  if (may('reply') && mayPassOn) actions.push({ label: '分派给分包', run: () => setForm('passOn') })
  if (isBody && file.overdueDays > 0 && mayPropose)
    actions.push({ label: '转不良行为', run: () => go('/misconductEdit', { rectifyId: file.id }) })
  const none = file.actions.some((one) => inMain.includes(one.action) || (one.action === 'recheckPass' && file.origin === 'site'))
    ? '请在左侧逐条填写'
    : file.waiting
  return (
    <Handling remark={file.waiting} actions={actions} busy={act.running} none={none}>
      {form === 'extend' && may('applyExtend') && <ExtensionForm file={file} />}
      {form === 'assign' && may('assign') && <AssignForm file={file} onClose={close} />}
      {form === 'passOn' && may('reply') && <PassOnForm file={file} onClose={close} />}
      {may('decideExtend') && <ExtensionDecision file={file} />}
      {receipt && may(receipt) && <ReceiptSheet file={file} how={receipt} onClose={() => setReceipt(undefined)} />}
    </Handling>
  )
}

interface PartProps {
  file: RectifyDetail
}

function ExtensionForm({ file }: PartProps) {
  const act = useAct(changeRectify, { success: '延期申请已提交' })
  const [until, setUntil] = useState<string | undefined>(undefined)
  const [reason, setReason] = useState('')
  return (
    <div className="zg-work-form">
      <label htmlFor="rectify-until" className="zg-label">
        延至
      </label>
      <DayInput id="rectify-until" min={file.deadline} value={until ?? null} onChange={setUntil} />

      {act.fieldErrors.until && <small className="tone-danger">{act.fieldErrors.until}</small>}
      <ItemText
        label="延期理由"
        hint="为什么期限内完不成，已经做了什么"
        value={reason}
        onChange={setReason}
        problem={act.fieldErrors.reason}
      />
      <Button
        loading={act.running}
        onClick={() =>
          void act.run(
            { body: { id: file.id, version: file.version, action: 'applyExtend', until: until ?? '', reason } },
            { fieldsShown: true },
          )
        }
      >
        提交延期申请
      </Button>
    </div>
  )
}

function ExtensionDecision({ file }: PartProps) {
  const act = useAct(changeRectify, { success: '已审批' })
  const [opinion, setOpinion] = useState('')
  const openRequest = file.extensions.find((one) => one.agreed === null)
  const decide = (agree: boolean) => void act.run({ body: { id: file.id, version: file.version, action: 'decideExtend', agree, opinion } })
  return (
    <div className="zg-work-form">
      <Notice tone="warning">
        {openRequest?.byName} 申请延至 {openRequest?.until}：{openRequest?.reason}
      </Notice>
      <ItemText label="审批意见" hint="可不填" value={opinion} onChange={setOpinion} problem={act.fieldErrors.opinion} />
      <div className="zg-row zg-gap-6">
        <Button type="primary" loading={act.running} onClick={() => decide(true)}>
          同意延期
        </Button>
        <Button danger loading={act.running} onClick={() => decide(false)}>
          不同意
        </Button>
      </div>
    </div>
  )
}
