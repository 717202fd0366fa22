import { listApprovals } from '@zhugong/contract/home/endpoints'
import { type ApprovalAct, type ApprovalDetail, actOnApproval, changeApproval, getApproval } from '@zhugong/contract/workflow/endpoints'
import { approvalStates } from '@zhugong/contract/workflow/flow'
import { Button, Checkbox, Input, Segmented } from 'antd'
import { useState } from 'react'
import { askReason } from '#kit/ask.ts'
import { refresh, useAct } from '#kit/call.ts'
import { Notice } from '#kit/feedback.tsx'
import { Choice, Choices } from '#kit/inputs.tsx'
import { SignaturePad } from '#kit/signature-pad.tsx'
import { usePrint } from '#kit/use-print.ts'
import { Handling, type ItemAction } from '#kit/work-item.tsx'
import { choicesOf, followItem, isBehind, newForm, problemsOf, sendForm, toSubmitter, type Verdict, write } from './approval-form.ts'

const verdicts: Record<Verdict, { label: string; hint: string; verb: string }> = {
  pass: { label: '同意', hint: '意见，可不填', verb: '同意' },
  reject: { label: '驳回', hint: '哪里不对、怎么改，至少 2 个字', verb: '驳回' },
  transfer: { label: '转办', hint: '说明，可不填', verb: '转办' },
  addSign: { label: '加签', hint: '请对方看什么，可不填', verb: '加签' },
}

interface HandlingProps {
  file: ApprovalDetail
  choice?: Readonly<Record<string, string>> | undefined
  onNext: () => void
}

/**
 * The actions open to the user, as the server offers them. Keyed by the item alone: when it is refetched in the background with a higher
 * version, what was typed stays.
 */
export function ApprovalHandling(props: HandlingProps) {
  return <DecisionPanel key={props.file.id} {...props} />
}

function DecisionPanel({ file, choice, onNext }: HandlingProps) {
  const act = useAct(actOnApproval, {
    success: '已提交',
    refreshes: [listApprovals, getApproval],
    // After a conflict the page shows what has changed, beside the text that was typed.
    onFail: () => refresh(getApproval),
  })
  const change = useAct(changeApproval, { success: '已重新提交', refreshes: [listApprovals, getApproval] })
  const print = usePrint('approvalSheet')
  const choices = choicesOf(file)
  const [entered, setEntered] = useState(() => newForm(file))
  const [tried, setTried] = useState(false)
  // By key, the value that was confirmed: what has changed since is asked again.
  const [confirmed, setConfirmed] = useState<Readonly<Record<string, string>>>({})
  const unconfirmed = entered.verdict === 'pass' && file.asks.some(({ key, value }) => confirmed[key] !== value)
  const form = followItem(entered, file)
  const { verdict, people } = form
  const problems = problemsOf(form, file)
  const enter = (part: Parameters<typeof write>[1]) => setEntered(write(form, part))
  const send = (result: ApprovalAct, more: Record<string, unknown> = {}) =>
    act.run({ params: { id: file.id }, body: { result, version: file.version, ...more } })
  const submit = async () => {
    setTried(true)
    if (unconfirmed || Object.values(problems).some(Boolean)) return
    const sent = await sendForm(
      (body) => act.run({ params: { id: file.id }, body: { ...body, choice: { ...choice, ...confirmed } } }),
      form,
      file,
    )
    setEntered(sent.form)
    if (!sent.done) return
    setTried(false)
    if (verdict === 'pass' || verdict === 'reject') onNext()
  }
  const withdraw = async () => {
    const reason = await askReason(`撤回 ${file.title}`, '原因')
    if (reason !== undefined) await send('withdraw', { opinion: reason })
  }
  const actions: (ItemAction | false)[] = [
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
      actions={actions.filter((one) => one !== false)}
      busy={act.running || change.running || print.running}
      none=""
    >
      {choices.length > 0 ? (
        <div className="zg-work-form">
          <Segmented
            block
            value={verdict}
            options={choices.map((value) => ({ value, label: verdicts[value].label }))}
            onChange={(next) => enter({ verdict: next, people: [] })}
          />
          {isBehind(form, file) && (
            <Notice tone="warning">
              此事项已有更新，请核对后再办理
              <Button type="link" size="small" onClick={() => setEntered({ ...form, version: file.version })}>
                已核对
              </Button>
            </Notice>
          )}
          {file.changed.length > 0 && verdict === 'pass' && <Notice tone="danger">单据已有变化，不能同意</Notice>}
          {verdict === 'reject' && file.returnTo.length > 0 && (
            <Choice
              aria-label="退回到"
              clear={false}
              value={form.returnTo}
              onChange={(value) => enter({ returnTo: value ?? toSubmitter })}
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
              onChange={(id) => enter({ people: id ? [id] : [] })}
              options={colleagues}
            />
          )}
          {verdict === 'addSign' && (
            <Choices
              aria-label="加签人"
              placeholder="请谁一起审批"
              value={[...people]}
              onChange={(ids) => enter({ people: ids ?? [] })}
              options={colleagues}
            />
          )}
          {tried && problems.people && <small className="tone-danger">{problems.people}</small>}
          <Input.TextArea
            rows={3}
            maxLength={500}
            aria-label="意见"
            placeholder={verdicts[verdict].hint}
            value={form.opinion}
            status={tried && problems.opinion ? 'error' : undefined}
            onChange={(event) => enter({ opinion: event.target.value })}
          />
          {tried && problems.opinion && <small className="tone-danger">{problems.opinion}</small>}
          {verdict === 'pass' &&
            file.asks.map(({ key, value, text }) => (
              <Checkbox
                key={key}
                checked={confirmed[key] === value}
                onChange={(event) => setConfirmed({ ...confirmed, [key]: event.target.checked ? value : '' })}
              >
                {text}，我已核对，仍同意
              </Checkbox>
            ))}
          {tried && unconfirmed && <small className="tone-danger">请先确认变化的内容</small>}
          {verdict === 'pass' && file.sign && (
            <SignaturePad
              key={file.hash}
              onChange={(image) => enter({ signature: image ? { image, hash: file.hash } : undefined })}
              problem={tried ? problems.signature : undefined}
            />
          )}
        </div>
      ) : (
        <p className="zg-2">{file.state === approvalStates.running ? `等待${file.node}审批` : `${file.stateName ?? ''}，已办结`}</p>
      )}
    </Handling>
  )
}
