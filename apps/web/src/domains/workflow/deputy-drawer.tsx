import { appointDeputy, endDeputy, listDeputies } from '@zhugong/contract/workflow/endpoints'
import { Button } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { Card, DetailSkeleton, Empty, ErrorPanel, Notice, Tag } from '#kit/feedback.tsx'
import { Choice, LongText, TimeInput } from '#kit/inputs.tsx'
import { PageDrawer } from '#kit/overlay.tsx'

/** Appoints a deputy for a period and lists the user's appointments. */
export function DeputyDrawer({ onClose }: { onClose: () => void }) {
  const { data, error, refetch } = useCall(listDeputies, {}, { quiet: true })
  const end = useAct(endDeputy, { success: '委托已结束', refreshes: [listDeputies] })
  return (
    <PageDrawer open title="委托他人审批" size={520} onClose={onClose}>
      {error ? (
        <ErrorPanel error={error} retry={refetch} />
      ) : !data ? (
        <DetailSkeleton />
      ) : (
        <div className="flow-column">
          <Can call={appointDeputy}>
            <Appoint colleagues={data.colleagues} />
          </Can>
          <Card title="我的委托" flush>
            {data.list.length === 0 && <Empty small text="没有委托过" />}
            <ul className="flow-deputies">
              {data.list.map((one) => (
                <li key={one.id}>
                  <b>{one.deputyName}</b> {one.running && <Tag tone="running">生效中</Tag>}
                  <span className="zg-2">
                    {one.fromTime.slice(0, 16)} 至 {one.toTime.slice(0, 16)}
                    {one.reason && `，${one.reason}`}
                  </span>
                  {Date.parse(one.toTime.replace(' ', 'T')) > Date.now() && (
                    <button
                      type="button"
                      className="zg-bare zg-link"
                      disabled={end.running}
                      onClick={() => void end.run({ params: { id: one.id } })}
                    >
                      结束
                    </button>
                  )}
                </li>
              ))}
            </ul>
          </Card>
        </div>
      )}
    </PageDrawer>
  )
}

function Appoint({ colleagues }: { colleagues: readonly { id: string; name: string }[] }) {
  const [deputyId, setDeputyId] = useState<string>()
  const [fromTime, setFrom] = useState<string>()
  const [toTime, setTo] = useState<string>()
  const [reason, setReason] = useState<string>()
  const appoint = useAct(appointDeputy, {
    success: '已委托',
    refreshes: [listDeputies],
    onDone: () => {
      setDeputyId(undefined)
      setFrom(undefined)
      setTo(undefined)
      setReason(undefined)
    },
  })
  const wrong = appoint.fieldErrors
  const missing = !deputyId || !fromTime || !toTime
  return (
    <Card title="新的委托">
      <div className="flow-column">
        <Notice tone="info">期间我的全部审批事项由对方办理，经过里写明代我办理；我自己也仍可办理</Notice>
        <Field label="委托给" problem={wrong.deputyId}>
          <Choice value={deputyId} onChange={setDeputyId} options={colleagues.map((c) => ({ value: c.id, label: c.name }))} />
        </Field>
        <Field label="开始" problem={wrong.fromTime}>
          <TimeInput value={fromTime} onChange={setFrom} />
        </Field>
        <Field label="结束" problem={wrong.toTime}>
          <TimeInput value={toTime} onChange={setTo} />
        </Field>
        <Field label="原因" problem={wrong.reason}>
          <LongText rows={2} maxLength={100} value={reason} onChange={setReason} />
        </Field>
        <Button
          type="primary"
          disabled={missing}
          loading={appoint.running}
          onClick={() =>
            void appoint.run(
              { body: { deputyId: deputyId ?? '', fromTime: fromTime ?? '', toTime: toTime ?? '', reason } },
              { fieldsShown: true },
            )
          }
        >
          委托
        </Button>
      </div>
    </Card>
  )
}

function Field({ label, problem, children }: { label: string; problem: string | undefined; children: React.ReactNode }) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is the child
    <label className="flow-field">
      <span className="zg-label">{label}</span>
      {children}
      {problem && <small className="tone-danger">{problem}</small>}
    </label>
  )
}
