import { actOnSuppression, listSuppressions, type SuppressRow } from '@zhugong/contract/alarms/endpoints'
import { approvalStates } from '@zhugong/contract/workflow/flow'
import { Button } from 'antd'
import { Link } from 'react-router'
import { askReason } from '#kit/ask.ts'
import { useAct, useCall } from '#kit/call.ts'
import { Notice } from '#kit/feedback.tsx'
import { time } from '#kit/format.ts'
import { hrefOf } from '#kit/page.tsx'

/** Upper bound of devices under maintenance at once on one site. */
const mostWaiting = 50

export const useWaitingSuppressions = (projectCode: string) =>
  useCall(listSuppressions, { query: { projectCode, state: approvalStates.running, size: mostWaiting } }, { quiet: true, everyMs: 60_000 })

type Verb = SuppressRow['actions'][number]
const labels: Record<Verb, string> = { pass: '同意', reject: '驳回', withdraw: '撤回' }

/** Suppressions requested but not yet approved by a second person. */
export function WaitingSuppressions({ projectCode }: { projectCode: string }) {
  const { data } = useWaitingSuppressions(projectCode)
  const act = useAct(actOnSuppression, { success: '已办理' })
  const decide = async (row: SuppressRow, action: Verb) => {
    const opinion = action === 'reject' ? await askReason(`驳回 ${row.deviceName} 的停用申请`, '驳回原因') : ''
    if (opinion === undefined) return
    await act.run({ params: { id: row.id }, query: { projectCode }, body: { action, opinion, version: row.version } })
  }
  return data?.list.map((row) => (
    <Notice
      key={row.id}
      tone="info"
      actions={
        <>
          {row.actions.map((action) => (
            <Button
              key={action}
              size="small"
              danger={action === 'reject'}
              type={action === 'pass' ? 'primary' : undefined}
              loading={act.running}
              onClick={() => void decide(row, action)}
            >
              {labels[action]}
            </Button>
          ))}
          {row.itemId && <Link to={hrefOf('/workbench/approvalDetail', { id: row.itemId })}>审批详情</Link>}
        </>
      }
    >
      {row.askedName} 申请停用 {row.deviceName}
      {row.point && ` ${row.point}`} 的{' '}
      {row.alarmLabels.length > 4
        ? `${row.alarmLabels.slice(0, 3).join('、')}等 ${row.alarmLabels.length} 种告警`
        : row.alarmLabels.join('、')}
      ，{time(row.from)} 至 {time(row.until)}，{row.reason}，负责人 {row.personName}；同意前照常告警
    </Notice>
  ))
}
