import { noticeChannels, noticeStates, noticeSteps } from '@zhugong/contract/notify/codes'
import { execLogList, listExecLog, resendNotice } from '@zhugong/contract/notify/endpoints'
import { Link } from 'react-router'
import { useAct } from '#kit/call.ts'
import { DataTable } from '#kit/data-table.tsx'
import { RiskBadge, Tag, type Tone } from '#kit/feedback.tsx'
import { time } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { useProjectScope } from '#kit/me.ts'
import { PageDrawer } from '#kit/overlay.tsx'
import { hrefOf } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { channelWord } from './exec-words.ts'

const ofExec: ColumnOf<typeof execLogList> = { key: 'execName', width: 126, value: (row) => row.execName ?? '等级默认方案' }

const stateTones: Readonly<Record<string, Tone>> = {
  waiting: 'running',
  sent: 'fine',
  failed: 'danger',
  skipped: 'neutral',
  held: 'warning',
}

/** Messages sent and devices started by an action, with their results. */
export function ExecLog({ exec, state, onClose }: { exec: { id: string; name: string } | undefined; state?: string; onClose: () => void }) {
  return (
    <PageDrawer
      open={exec !== undefined || state !== undefined}
      size={1160}
      title={exec ? `执行日志 ${exec.name}` : '执行日志'}
      onClose={onClose}
      styles={{ body: { padding: 12, display: 'flex', flexDirection: 'column' } }}
    >
      <Log key={`${exec?.id}${state}`} execId={exec?.id} state={state} />
    </PageDrawer>
  )
}

function Log({ execId, state }: { execId: string | undefined; state: string | undefined }) {
  const { projectCode } = useProjectScope()
  const list = useListPage(execLogList, {
    scope: { projectCode, execId: execId || undefined },
    inUrl: false,
    defaultFilters: state ? { state } : undefined,
  })
  const resend = useAct(resendNotice, { success: '已重新发送', refreshes: [listExecLog] })
  const columns: ColumnOf<typeof execLogList>[] = [
    { key: 'time', width: 148, locked: true, value: (row) => time(row.time) },
    {
      key: 'alarmLabel',
      width: 180,
      wrap: true,
      value: (row) => (
        <span className="zg-inline zg-gap-6 zg-baseline">
          {row.level > 0 && <RiskBadge level={row.level} word={false} />}
          {row.alarmId ? (
            <Link to={hrefOf('/alarm/record', { tab: 'all', alarmId: row.alarmId })}>
              {[row.deviceName, row.alarmLabel].filter(Boolean).join(' ')}
              {row.alarms > 1 ? ` 等 ${row.alarms} 条` : ''}
            </Link>
          ) : (
            row.title
          )}
        </span>
      ),
    },
    { key: 'projectName', width: 130, hidden: projectCode !== '*', value: (row) => row.projectName },
    ...(execId ? [] : [ofExec]),
    { key: 'step', width: 76, value: (row) => row.stepName || (noticeSteps[row.step] ?? row.step) },
    {
      key: 'channel',
      width: 84,
      filter: 'multi',
      options: Object.entries(noticeChannels).map(([value, label]) => ({ value, label })),
      value: (row) => row.channelName || channelWord(row.channel),
    },
    {
      key: 'receiverName',
      width: 116,
      filter: 'text',
      value: (row) => (
        <span>
          {row.receiverName}
          {row.receiverMask && <div className="zg-2">{row.receiverMask}</div>}
        </span>
      ),
    },
    {
      key: 'state',
      width: 88,
      filter: 'multi',
      options: Object.entries(noticeStates).map(([value, label]) => ({ value, label })),
      value: (row) => <Tag tone={stateTones[row.state] ?? 'neutral'}>{row.stateName || (noticeStates[row.state] ?? row.state)}</Tag>,
    },
    {
      key: 'result',
      width: 170,
      wrap: true,
      value: (row) => (
        <span>
          {row.result || (row.sentTime && row.state === 'sent' ? `${time(row.sentTime).slice(11)} 送出` : '')}
          {row.attempts > 1 && <div className="zg-2">共试 {row.attempts} 次</div>}
        </span>
      ),
    },
    { key: 'text', width: 240, wrap: true, hidden: true, value: (row) => row.text },
  ]
  return (
    <DataTable
      list={list}
      columns={columns}
      name="exec-log"
      unit="条"
      emptyHint="规则触发告警后，每次通知与联动都会记在这里"
      rowClass={(row) => (row.state === 'failed' ? 'rule-row-bad' : '')}
      actions={(row) => [
        row.state === 'failed' &&
          row.kind !== 'linkage' && {
            label: '重发',
            needs: resendNotice,
            onClick: () => resend.run({ params: { id: row.id }, query: { projectCode: row.projectCode } }),
          },
      ]}
    />
  )
}
