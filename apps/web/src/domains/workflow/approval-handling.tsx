import { listApprovals } from '@zhugong/contract/home/endpoints'
import { type ApprovalAct, type ApprovalDetail, actOnApproval, changeApproval, getApproval } from '@zhugong/contract/workflow/endpoints'
import { approvalStates } from '@zhugong/contract/workflow/flow'
import { Input, Segmented } from 'antd'
import { useState } from 'react'
import { askReason } from '#kit/ask.ts'
import { useAct } from '#kit/call.ts'
import { Notice } from '#kit/feedback.tsx'
import { Choice, Choices } from '#kit/inputs.tsx'
import { SignaturePad } from '#kit/signature-pad.tsx'
import { usePrint } from '#kit/use-print.ts'
import { Handling, type Offer } from '#kit/work-item.tsx'

type Verdict = Extract<ApprovalAct, 'pass' | 'reject' | 'transfer' | 'addSign'>
const verdicts: Record<Verdict, { label: string; hint: string; verb: string }> = {
  pass: { label: '同意', hint: '意见，可不填', verb: '同意' },
  reject: { label: '驳回', hint: '哪里不对、怎么改，至少 2 个字', verb: '驳回' },
  transfer: { label: '转办', hint: '说明，可不填', verb: '转办' },
  addSign: { label: '加签', hint: '请对方看什么，可不填', verb: '加签' },
}
const isVerdict = (act: ApprovalAct): act is Verdict => act in verdicts
const toSubmitter = '*'

/** What this person may do with the item now, as the server offers it. */
export function ApprovalHandling({ file, onNext }: { file: ApprovalDetail; onNext: () => void }) {
  const act = useAct(actOnApproval, { success: '已提交', refreshes: [listApprovals, getApproval] })
  const change = useAct(changeApproval, { success: '已重新提交', refreshes: [listApprovals, getApproval] })
  const print = usePrint('approvalSheet')
  const choices = file.actions.filter(isVerdict)
  const [verdict, setVerdict] = useState<Verdict>(choices[0] ?? 'pass')
  const [opinion, setOpinion] = useState('')
  const [returnTo, setReturnTo] = useState<string>(toSubmitter)
  const [people, setPeople] = useState<string[]>([])
  const [signature, setSignature] = useState<string>()
  const [tried, setTried] = useState(false)
  const problems = {
    opinion: verdict === 'reject' && opinion.trim().length < 2 ? '请填写驳回原因（至少 2 个字）' : undefined,
    people: (verdict === 'transfer' || verdict === 'addSign') && people.length === 0 ? '请选择人员' : undefined,
    signature: verdict === 'pass' && file.sign && !signature ? '此步骤须手写签名' : undefined,
  }
  const send = async (result: ApprovalAct, more: Record<string, unknown> = {}) => {
    const done = await act.run({ params: { id: file.id }, body: { result, version: file.version, ...more } })
    if (done && (result === 'pass' || result === 'reject')) onNext()
  }
  const submit = () => {
    setTried(true)
    if (Object.values(problems).some(Boolean)) return
    return send(verdict, {
      opinion: opinion.trim(),
      signature: verdict === 'pass' && signature ? signature : undefined,
      returnTo: verdict === 'reject' && returnTo !== toSubmitter ? returnTo : undefined,
      transferTo: verdict === 'transfer' ? people[0] : undefined,
      addSign: verdict === 'addSign' ? people : undefined,
    })
  }
  const withdraw = async () => {
    const reason = await askReason(`撤回 ${file.title}`, '原因')
    if (reason !== undefined) await send('withdraw', { opinion: reason })
  }
  const offers: (Offer | false)[] = [
    choices.length > 0 && { label: verdicts[verdict].verb, run: submit, main: verdict !== 'reject', danger: verdict === 'reject' },
    file.mayResubmit && {
      label: '修改后重新提交',
      main: true,
      run: () => change.run({ params: { id: file.id }, body: { action: 'resubmit', version: file.version } }),
    },
    file.actions.includes('urge') && { label: '催办', run: () => send('urge') },
    file.actions.includes('withdraw') && { label: '撤回', run: withdraw, danger: true },
    { label: '打印审批单', run: () => print.run({ body: { feature: 'approvalSheet', exportType: 'pdf', query: { id: file.id } } }) },
  ]
  const colleagues = file.colleagues.map((c) => ({ value: c.id, label: c.name }))
  return (
    <Handling
      remark={file.standsInFor ? `代 ${file.standsInFor} 办理` : undefined}
      offers={offers.filter((one) => one !== false)}
      busy={act.running || change.running || print.running}
      none=""
    >
      {choices.length > 0 ? (
        <div className="zg-work-form">
          <Segmented
            block
            value={verdict}
            options={choices.map((value) => ({ value, label: verdicts[value].label }))}
            onChange={(next) => {
              setVerdict(next)
              setPeople([])
            }}
          />
          {file.changed.length > 0 && verdict === 'pass' && <Notice tone="danger">单据已有变化，不能同意</Notice>}
          {verdict === 'reject' && file.returnTo.length > 0 && (
            <Choice
              aria-label="退回到"
              clear={false}
              value={returnTo}
              onChange={(value) => setReturnTo(value ?? toSubmitter)}
              options={[
                { value: toSubmitter, label: '退回发起人' },
                ...file.returnTo.map((s) => ({ value: s.key, label: `退回到 ${s.name}` })),
              ]}
            />
          )}
          {verdict === 'transfer' && (
            <Choice
              aria-label="转给"
              placeholder="转给本单位的谁"
              value={people[0]}
              onChange={(id) => setPeople(id ? [id] : [])}
              options={colleagues}
            />
          )}
          {verdict === 'addSign' && (
            <Choices
              aria-label="加签人"
              placeholder="请谁一起审批"
              value={people}
              onChange={(ids) => setPeople(ids ?? [])}
              options={colleagues}
            />
          )}
          {tried && problems.people && <small className="tone-danger">{problems.people}</small>}
          <Input.TextArea
            rows={3}
            maxLength={500}
            aria-label="意见"
            placeholder={verdicts[verdict].hint}
            value={opinion}
            status={tried && problems.opinion ? 'error' : undefined}
            onChange={(event) => setOpinion(event.target.value)}
          />
          {tried && problems.opinion && <small className="tone-danger">{problems.opinion}</small>}
          {verdict === 'pass' && file.sign && <SignaturePad onChange={setSignature} problem={tried ? problems.signature : undefined} />}
        </div>
      ) : (
        <p className="zg-2">{file.state === approvalStates.running ? `等待${file.node}审批` : `${file.stateName ?? ''}，已办结`}</p>
      )}
    </Handling>
  )
}
