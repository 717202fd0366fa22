import { type AppApply, applyForApps, applyStates, decideAppApply, listAppApplies } from '@zhugong/contract/apps/apply-endpoints'
import { holderName } from '@zhugong/contract/apps/codes'
import { Button, Pagination, Segmented } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { Card, Empty, ErrorPanel, Tag, type Tone } from '#kit/feedback.tsx'
import { FormDrawer } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { DayInput, LongText } from '#kit/inputs.tsx'
import './apps.css'

const { Field } = formOf(applyForApps, decideAppApply)

const everywhere = { projectCode: '*' }

/** Applies for an app, or for a later end date. */
export function ApplyDrawer({
  app,
  onClose,
}: {
  app: { id: string; name: string; mine: { deadline: string | null } | null }
  onClose: () => void
}) {
  const act = useAct(applyForApps, { success: ({ code }) => `已提交 ${code}，由平台审批` })
  return (
    <FormDrawer
      open
      narrow
      width={420}
      act={act}
      title={app.mine ? '申请续期' : '申请开通'}
      remark={app.name}
      initial={{ appIds: [app.id], deadline: null }}
      input={(body) => ({ query: everywhere, body })}
      saveText="提交"
      onClose={onClose}
    >
      <Field name="deadline" label="使用到" help={app.mine?.deadline ? `现到 ${app.mine.deadline}；留空为长期` : '留空为长期'}>
        <DayInput />
      </Field>
      <Field name="reason" label="申请原因" required>
        <LongText rows={3} />
      </Field>
    </FormDrawer>
  )
}

const tones: Readonly<Record<string, Tone>> = { '0': 'warning', '1': 'fine', '2': 'danger' }

const perPage = 20
const stateChoices = [
  { value: '', label: '全部' },
  { value: applyStates.waiting, label: '待审' },
  { value: applyStates.passed, label: '已同意' },
  { value: applyStates.refused, label: '已驳回' },
]

/** Applications for apps: all of them for the platform to decide, the caller's own for everybody else. */
export function Applies({ appId }: { appId?: string | undefined }) {
  const [page, setPage] = useState(1)
  const [state, setState] = useState('')
  const read = useCall(
    listAppApplies,
    { query: { ...everywhere, appId, state: state || undefined, page, size: perPage } },
    { quiet: true, staleMs: 0, keepPrevious: true },
  )
  const [open, setOpen] = useState<{ apply: AppApply; action: 'pass' | 'reject' }>()
  const withdraw = useAct(decideAppApply, { success: '已撤回' })
  if (read.error) return <ErrorPanel error={read.error} retry={read.refetch} />
  const list = read.data?.list ?? []
  return (
    <Card
      title="开通申请"
      remark={read.data ? `待审 ${read.data.waiting}` : undefined}
      actions={
        <Segmented
          size="small"
          aria-label="申请状态"
          value={state}
          options={stateChoices}
          onChange={(next) => {
            setState(next)
            setPage(1)
          }}
        />
      }
      flush
    >
      {read.data && list.length === 0 && <Empty small text="没有申请" />}
      {list.map((apply) => (
        <div key={apply.id} className="apps-apply">
          <div>
            <b>{apply.groupName}</b> <span className="zg-2">{holderName(apply.groupType)}</span>
            <div>{apply.apps.map((one) => one.name).join('、')}</div>
          </div>
          <div>
            使用到 {apply.deadline ?? '长期'}
            <div className="zg-2">{apply.reason}</div>
          </div>
          <div className="zg-2">
            {apply.filedName} {apply.createTime.slice(0, 16)}
            {apply.decidedName && (
              <div>
                {apply.decidedName} {apply.decideTime?.slice(0, 16)} {apply.opinion}
              </div>
            )}
          </div>
          <Tag tone={tones[apply.state] ?? 'neutral'}>{apply.stateName}</Tag>
          <div className="apps-bar">
            {apply.mayDecide && (
              <>
                <Button size="small" type="primary" onClick={() => setOpen({ apply, action: 'pass' })}>
                  同意
                </Button>
                <Button size="small" danger onClick={() => setOpen({ apply, action: 'reject' })}>
                  驳回
                </Button>
              </>
            )}
            {apply.mayWithdraw && (
              <Button
                size="small"
                loading={withdraw.running}
                onClick={() =>
                  void withdraw.run({ params: { id: apply.id }, query: everywhere, body: { action: 'withdraw', version: apply.version } })
                }
              >
                撤回
              </Button>
            )}
          </div>
        </div>
      ))}
      {read.data && read.data.total > perPage && (
        <div className="apps-bar">
          <Pagination size="small" current={page} pageSize={perPage} total={read.data.total} showSizeChanger={false} onChange={setPage} />
        </div>
      )}
      {open && <DecideDrawer {...open} onClose={() => setOpen(undefined)} />}
    </Card>
  )
}

function DecideDrawer({ apply, action, onClose }: { apply: AppApply; action: 'pass' | 'reject'; onClose: () => void }) {
  const act = useAct(decideAppApply, { success: action === 'pass' ? '已同意并授权' : '已驳回' })
  return (
    <FormDrawer
      open
      narrow
      width={420}
      act={act}
      title={action === 'pass' ? '同意并授权' : '驳回申请'}
      remark={`${apply.groupName}：${apply.apps.map((one) => one.name).join('、')}`}
      initial={{ action, opinion: '', deadline: action === 'pass' ? (apply.deadline ?? undefined) : undefined, version: apply.version }}
      input={(body) => ({ params: { id: apply.id }, query: everywhere, body })}
      onClose={onClose}
    >
      {action === 'pass' && (
        <Field name="deadline" label="授权到" help="留空按申请的期限；所需的前置应用一并授权">
          <DayInput />
        </Field>
      )}
      <Field name="opinion" label="意见" required={action === 'reject'}>
        <LongText rows={3} />
      </Field>
    </FormDrawer>
  )
}
