import { getMachineCheck } from '@zhugong/contract/upkeep/inspections'
import { Button } from 'antd'
import { Link } from 'react-router'
import { useCall } from '#kit/call.ts'
import { Course } from '#kit/course.tsx'
import { Card, Empty, Notice } from '#kit/feedback.tsx'
import { PageShell } from '#kit/list-shell.tsx'
import { hrefOf, useGo, usePage, usePageQuery } from '#kit/page.tsx'
import { WorkItem } from '#kit/work-item.tsx'
import { NoticeHandling, NoticeProblems, RectifyStateTag, useNotice } from '../rectify/public.tsx'
import { RepairFields } from './repair-fields.tsx'
import { RepairsCard } from './repairs-card.tsx'
import { TelemetryCard } from './telemetry-card.tsx'
import { anyProject, paths, ResultTag } from './upkeep-words.tsx'
import './upkeep.css'

/** A notice about a machine, by `?id=`: the defect, its repair with parts and people, and what telemetry says since. */
export function DefectPage({ replying = false }: { replying?: boolean }) {
  const id = usePageQuery().get('id') ?? ''
  const go = useGo()
  if (!id)
    return (
      <PageShell>
        <Empty text="未选择设备整改" hint="从设备检查打开一次，或从待办进入">
          <Button onClick={() => go(paths.inspect, { tab: 'open' })}>去未闭合的设备检查</Button>
        </Empty>
      </PageShell>
    )
  return (
    <div className="zg-page zg-scrolls">
      <Defect key={id} id={id} replying={replying} />
    </div>
  )
}

function Defect({ id, replying }: { id: string; replying: boolean }) {
  const page = usePage()
  const go = useGo()
  const read = useNotice(id)
  const notice = read.data
  const checkId = notice?.sourceId ?? ''
  // Whoever answers for a defect may not see the machine itself: then the notice alone is shown.
  const { data: check } = useCall(
    getMachineCheck,
    { params: { id: checkId }, query: anyProject },
    { quiet: true, offline: true, enabled: checkId !== '' },
  )
  const may = (action: string) => notice?.actions.some((one) => one.action === action) ?? false
  const { telemetry } = check ?? {}
  return (
    <WorkItem
      title={notice?.code ?? '设备整改'}
      tags={
        notice && (
          <>
            <RectifyStateTag row={notice} /> {check && <ResultTag row={check} />}
          </>
        )
      }
      facts={
        notice
          ? [
              { label: '设备', value: check?.machineName ?? notice.lines[0]?.part ?? '--' },
              { label: '责任单位', value: notice.corpName },
              { label: '期限', value: notice.deadline, tone: notice.overdueDays ? ('danger' as const) : undefined },
              { label: '问题', value: `闭合 ${notice.passedCount} / ${notice.problemCount}` },
              ...(check?.suspendedAt
                ? [{ label: '停用', value: `${check.stoppedDays ?? 0} 天`, tone: check.stopped ? ('danger' as const) : undefined }]
                : []),
            ]
          : []
      }
      actions={
        notice && (
          <>
            {may('reply') && !replying && (
              <Button type="primary" onClick={() => go(paths.reply, { id })}>
                填写整改回复
              </Button>
            )}
            {check && <Button onClick={() => go(paths.inspectDetail, { id: check.id })}>查看检查</Button>}
          </>
        )
      }
      waiting={!notice}
      error={read.error}
      retry={read.refetch}
      onClose={page.close}
      side={
        notice &&
        !replying && (
          <>
            <NoticeHandling id={id} />
            <Course lines={notice.timeline} bad={['jlReturn', 'recheckFail']} />
          </>
        )
      }
    >
      {notice && (
        <>
          {telemetry && telemetry.whileStopped > 0 && (
            <Notice tone="danger">
              停用期间监测到 {telemetry.whileStopped} 次作业循环，最近一次 {telemetry.lastWhileStopped}。
            </Notice>
          )}
          {notice.overdueDays > 0 && (
            <Notice tone="danger">
              已逾期 {notice.overdueDays} 天，{notice.waiting}
            </Notice>
          )}
          {check?.stopped && may('recheckPass') && <Notice tone="warning">复查合格后设备恢复使用；没有其他停用原因的，立即恢复。</Notice>}
          {replying && may('reply') && (
            <Notice tone="info">
              更换的部件和维修人员在提交时写入设备维保，不用再登记一次。安全装置的维修人员须持有效证书。
              {check?.suspendedAt && '设备停用中：请附自检、试运转的照片。'}
            </Notice>
          )}
          {replying && !may('reply') && (
            <Card>
              <p>
                现在不由您回复，{notice.waiting}。<Link to={hrefOf(paths.defect, { id })}>查看整改</Link>
              </p>
            </Card>
          )}
          <NoticeProblems id={id} extra={RepairFields} />
          <RepairsCard rows={check?.repairs.filter((one) => one.noticeId === id) ?? []} />
          {check && <TelemetryCard telemetry={check.telemetry} title={check.suspendedAt ? '停用以来的监测' : '检查后的监测'} />}
        </>
      )}
    </WorkItem>
  )
}
