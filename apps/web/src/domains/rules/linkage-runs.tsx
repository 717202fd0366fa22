import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { confirmLinkage, listLinkageRuns, stopLinkage } from '@zhugong/contract/linkage/endpoints'
import { Button } from 'antd'
import { askReason, confirmDanger } from '#kit/ask.ts'
import { useAct, useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { Notice, Tag } from '#kit/feedback.tsx'
import { minuteOfDay, span } from '#kit/format.ts'
import { useNow } from '#kit/live.ts'

export type LinkageRun = OutputFor<typeof listLinkageRuns>['list'][number]
/** Maximum number of runs shown, so that they do not push the page content away. */
const shownRuns = 3
const goingOn = 'waitingConfirm,held,starting,running,stopping'

/** Devices that alarms have started or are about to start, with the user's possible actions. */
export const useLinkageNow = (projectCode: string, alarmId?: string) =>
  useCall(
    listLinkageRuns,
    { query: { projectCode, state: goingOn, size: 20, alarmId: alarmId || undefined } },
    { quiet: true, everyMs: 15_000, keepPrevious: true },
  )

export function LinkageNow({ projectCode, alarmId }: { projectCode: string; alarmId?: string }) {
  const { data } = useLinkageNow(projectCode, alarmId)
  const now = useNow(1000)
  const confirm = useAct(confirmLinkage, { success: '已确认启动', refreshes: [listLinkageRuns] })
  const stop = useAct(stopLinkage, { success: '已下发停止，30 分钟内不再自动启动', refreshes: [listLinkageRuns] })
  const start = async (run: LinkageRun) => {
    const yes = await confirmDanger({
      thing: `启动 ${run.deviceName}`,
      consequence: `${run.execName} 将下发“${run.commandName}”，请确认现场人员已避让。`,
      verb: '确认启动',
      keep: '不启动',
    })
    if (yes) void confirm.run({ params: { id: run.id }, query: { projectCode: run.projectCode } })
  }
  const end = async (run: LinkageRun) => {
    const reason = await askReason(`停止 ${run.deviceName}`, '停止原因')
    if (reason) void stop.run({ params: { id: run.id }, query: { projectCode: run.projectCode }, body: { reason } })
  }
  return (
    <>
      {data?.list.slice(0, shownRuns).map((run) => (
        <Notice
          key={run.id}
          tone={run.state === 'waitingConfirm' ? 'warning' : 'info'}
          actions={
            <Can call={stopLinkage}>
              {run.state === 'waitingConfirm' && (
                <Button size="small" type="primary" onClick={() => void start(run)}>
                  确认启动
                </Button>
              )}
              {(run.state === 'running' || run.state === 'starting' || run.state === 'waitingConfirm' || run.state === 'held') && (
                <Button size="small" onClick={() => void end(run)}>
                  {run.state === 'waitingConfirm' ? '不启动' : '停止'}
                </Button>
              )}
            </Can>
          }
        >
          <b>
            {run.deviceName} {run.commandName}
          </b>{' '}
          <Tag tone={run.state === 'waitingConfirm' || run.state === 'held' ? 'warning' : 'running'}>{run.stateName}</Tag>{' '}
          {projectCode === '*' && `${run.projectName}，`}
          {runWords(run, now)}
          {run.simulated && ' （演练）'}
        </Notice>
      ))}
      {data && data.total > shownRuns && <Notice tone="info">另有 {data.total - shownRuns} 台设备正在联动或等待确认</Notice>}
    </>
  )
}

/** Cause and remaining time of a run, or why it waits. */
export function runWords(
  run: Pick<LinkageRun, 'state' | 'confirmUntil' | 'startTime' | 'maxUntil' | 'reason' | 'alarms'>,
  now: number,
): string {
  const why = run.alarms[0]
    ? `因 ${run.alarms[0].deviceName} ${run.alarms[0].label}${run.alarms.length > 1 ? ` 等 ${run.alarms.length} 条` : ''}`
    : ''
  const parts = [why]
  if (run.state === 'waitingConfirm' && run.confirmUntil) parts.push(`${span(run.confirmUntil - now)}内无人确认则不启动`)
  else if (run.state === 'running' && run.startTime) {
    parts.push(`已运行 ${span(now - run.startTime)}`)
    if (run.maxUntil) parts.push(`最迟 ${minuteOfDay(run.maxUntil)} 停止`)
  } else if (run.reason) parts.push(run.reason)
  return parts.filter(Boolean).join('，')
}
