import { decideStateApply, listStateApplies, type StateApply } from '@zhugong/contract/organisation/projects'
import { Button } from 'antd'
import { Link } from 'react-router'
import { askReason } from '#kit/ask.ts'
import { useAct, useCall } from '#kit/call.ts'
import { Card, DetailSkeleton, Empty, ErrorPanel, Notice, Pairs, Tag, type Tone } from '#kit/feedback.tsx'
import { PageDrawer } from '#kit/overlay.tsx'
import { hrefOf } from '#kit/page.tsx'

const tones: Readonly<Record<string, Tone>> = { '1': 'warning', '2': 'fine', '3': 'danger', '4': 'neutral' }
const shownApplies = 100
type Verb = StateApply['actions'][number]
const labels: Record<Verb, string> = { pass: '同意', reject: '驳回', withdraw: '撤回' }

/** Requested or ordered changes of project states; waiting ones first. */
export function StateAppliesDrawer({ onClose }: { onClose: () => void }) {
  return (
    <PageDrawer open size={720} title="项目状态申请" onClose={onClose}>
      <StateApplies />
    </PageDrawer>
  )
}

export function StateApplies({ projectCode }: { projectCode?: string | undefined }) {
  const query = { size: shownApplies, projectCode: projectCode || undefined }
  const { data, error, refetch } = useCall(listStateApplies, { query }, { quiet: true, staleMs: 0 })
  if (error) return <ErrorPanel error={error} retry={refetch} />
  if (!data) return <DetailSkeleton />
  if (data.list.length === 0) return <Empty small text="没有状态申请" hint="建设单位在项目列表里申请开工、停工、复工、完工" />
  return (
    <div className="org-applies">
      {data.total > shownApplies && <Notice tone="info">只显示最近 {shownApplies} 项</Notice>}
      {data.list.map((row) => (
        <ApplyCard key={row.id} row={row} />
      ))}
    </div>
  )
}

function ApplyCard({ row }: { row: StateApply }) {
  const act = useAct(decideStateApply, { success: '已办理' })
  const run = (action: Verb, opinion = '') => ({ params: { id: row.id }, body: { action, opinion, version: row.version } })
  const decide = async (action: Verb) => {
    if (action === 'pass')
      return act.afterRequesting(
        {
          thing: `同意 ${row.projectName} ${row.actionName}`,
          consequence: `项目状态由 ${row.fromName ?? '--'} 变为 ${row.toName ?? '--'}，考勤考核随之变化。`,
          verb: '同意',
          keep: '再看看',
        },
        run(action),
      )
    const opinion = await askReason(`${labels[action]} ${row.projectName} 的${row.actionName}申请`, '原因')
    if (opinion) await act.run(run(action, opinion))
  }
  return (
    <Card
      title={`${row.actionName} ${row.projectName}`}
      remark={
        <Tag tone={tones[row.state] ?? 'neutral'} icon={false}>
          {row.stateName}
        </Tag>
      }
      actions={
        <>
          {row.itemId && <Link to={hrefOf('/workbench/approvalDetail', { id: row.itemId })}>审批详情</Link>}
          {row.actions.map((action) => (
            <Button
              key={action}
              loading={act.running}
              danger={action === 'reject'}
              type={action === 'pass' ? 'primary' : undefined}
              onClick={() => void decide(action)}
            >
              {labels[action]}
            </Button>
          ))}
        </>
      }
    >
      <Pairs
        items={[
          { label: '项目状态', value: `${row.fromName ?? '--'} → ${row.toName ?? '--'}` },
          { label: '申请', value: `${row.filedName}，${row.createTime}` },
          ...(row.reason ? [{ label: '原因', value: row.reason, wide: true }] : []),
          ...(row.decidedName ? [{ label: '审定', value: `${row.decidedName}，${row.decideTime}` }] : []),
          ...(row.opinion ? [{ label: '意见', value: row.opinion, wide: true }] : []),
        ]}
      />
    </Card>
  )
}
