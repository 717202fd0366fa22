import { PrinterOutlined } from '@ant-design/icons'
import { changePenalty, type PenaltyAction, type PenaltyRow, penaltyStates } from '@zhugong/contract/rectify/penalty'
import { Button, Input } from 'antd'
import { useId, useState } from 'react'
import { askReason, confirmDanger } from '#kit/ask.ts'
import { useAct } from '#kit/call.ts'
import { Card, Pairs, Tag } from '#kit/feedback.tsx'
import { thousands } from '#kit/format.ts'
import { NumberInput } from '#kit/inputs.tsx'
import { usePrint } from '#kit/use-print.ts'

const tones = { [penaltyStates.draft]: 'warning', [penaltyStates.issued]: 'danger', [penaltyStates.dropped]: 'neutral' } as const

/** The proposal of a penalty after three failed rechecks: completed, issued with its number, or dropped. */
export function PenaltyCard({ penalty }: { penalty: PenaltyRow }) {
  const print = usePrint('rectifyPenalty')
  const isOpen = penalty.actions.some((one) => one.action === 'save')
  return (
    <Card title="行政处罚建议书（207）" remark={penalty.code ? undefined : '出具前责任单位看不到'}>
      <p>
        <Tag tone={tones[penalty.state as keyof typeof tones]}>{penalty.stateName}</Tag>
        {` ${penalty.code ?? `${penalty.createTime.slice(0, 16)} 起草`}`}
        {penalty.dropReason && `，${penalty.dropReason}`}
      </p>
      {isOpen ? <Draft penalty={penalty} /> : <Written penalty={penalty} />}
      {penalty.code && (
        <Button
          icon={<PrinterOutlined />}
          loading={print.running}
          onClick={() => void print.run({ body: { feature: 'rectifyPenalty', exportType: 'pdf', query: { id: penalty.id } } })}
        >
          打印建议书
        </Button>
      )}
    </Card>
  )
}

function Written({ penalty }: { penalty: PenaltyRow }) {
  return (
    <Pairs
      items={[
        { label: '违法事实', value: <span className="rectify-facts">{penalty.facts}</span>, wide: true },
        { label: '依据条款', value: penalty.clause, wide: true },
        { label: '建议罚款', value: penalty.amountYuan === null ? '未提出' : `${thousands(penalty.amountYuan)} 元` },
        { label: '出具', value: penalty.issueTime && `${penalty.issuedBy ?? ''} ${penalty.issueTime.slice(0, 16)}` },
      ]}
    />
  )
}

function Draft({ penalty }: { penalty: PenaltyRow }) {
  const ids = { facts: useId(), clause: useId(), amount: useId() }
  const act = useAct(changePenalty, { success: '已办理' })
  const [facts, setFacts] = useState(penalty.facts)
  const [clause, setClause] = useState(penalty.clause)
  const [amount, setAmount] = useState<number | undefined>(penalty.amountYuan ?? undefined)
  const may = (action: PenaltyAction) => penalty.actions.some((one) => one.action === action)
  const key = { version: penalty.version }
  const params = { id: penalty.id }
  const send = (action: 'save' | 'issue') =>
    act.run({ params, body: { ...key, action, facts, clause, amountYuan: amount ?? null } }, { fieldsShown: true })
  const issue = async () => {
    const sure = await confirmDanger({
      thing: '出具行政处罚建议书',
      consequence: '取号后内容不能再改，责任单位可以看到。',
      verb: '出具',
      keep: '再看看',
    })
    if (sure) await send('issue')
  }
  const drop = async () => {
    const reason = await askReason('不予建议处罚', '原因（至少 5 个字）')
    if (reason) await act.run({ params, body: { ...key, action: 'drop', reason } })
  }
  const problem = (field: string) => act.fieldErrors[field] && <small className="tone-danger">{act.fieldErrors[field]}</small>
  return (
    <div className="zg-work-form">
      <label className="zg-label" htmlFor={ids.facts}>
        违法事实
      </label>
      <Input.TextArea id={ids.facts} rows={5} maxLength={3000} value={facts} onChange={(event) => setFacts(event.target.value)} />
      {problem('facts')}
      <label className="zg-label" htmlFor={ids.clause}>
        依据条款
      </label>
      <Input.TextArea id={ids.clause} rows={2} maxLength={1000} value={clause} onChange={(event) => setClause(event.target.value)} />
      {problem('clause')}
      <label className="zg-label" htmlFor={ids.amount}>
        建议罚款（可不填）
      </label>
      <NumberInput id={ids.amount} unit="元" min={0} precision={0} value={amount} onChange={setAmount} />
      {problem('amountYuan')}
      <div className="zg-row zg-wrap zg-gap-6">
        {may('issue') && (
          <Button type="primary" loading={act.running} onClick={() => void issue()}>
            出具建议书
          </Button>
        )}
        <Button loading={act.running} onClick={() => void send('save')}>
          保存草稿
        </Button>
        {may('drop') && (
          <Button danger loading={act.running} onClick={() => void drop()}>
            不予建议
          </Button>
        )}
      </div>
    </div>
  )
}
