import { groupTypes } from '@zhugong/contract/access/group-types'
import { getAlarm } from '@zhugong/contract/alarms/endpoints'
import { livePages } from '@zhugong/contract/telemetry/live-pages'
import { Button } from 'antd'
import type { ReactNode } from 'react'
import { useCall } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { useFamily } from '#kit/family.ts'
import { Notice, RiskBadge } from '#kit/feedback.tsx'
import { time } from '#kit/format.ts'
import { useNow } from '#kit/live.ts'
import { useGroupType } from '#kit/me.ts'
import { useGo } from '#kit/page.tsx'
import { WorkItem } from '#kit/work-item.tsx'
import { LinkageNow } from '../rules/public.tsx'
import './alarms.css'
import { AlarmCauses, isExceedance } from './alarm-causes.tsx'
import { AlarmCourse } from './alarm-course.tsx'
import type { AlarmFile } from './alarm-file.ts'
import { AlarmFindings, kindAt } from './alarm-findings.tsx'
import { AlarmHandling } from './alarm-handling.tsx'
import { AlarmMedia } from './alarm-media.tsx'
import { AlarmReadings } from './alarm-readings.tsx'
import { AlarmValues } from './alarm-values.tsx'
import { ActiveTag, besideWords, lasted, MarkTags, peakWords, StateTag } from './alarm-words.tsx'
import { EvidenceChart } from './evidence-chart.tsx'

interface AlarmDetailProps {
  id: string
  onClose: () => void
  drawing?: (file: AlarmFile) => ReactNode
}

export function AlarmDetail({ id, onClose, drawing }: AlarmDetailProps) {
  const {
    data: file,
    error,
    refetch,
  } = useCall(getAlarm, { params: { id }, query: { projectCode: '*' } }, { quiet: true, everyMs: 15_000 })
  if (!file) return <WorkItem title="" waiting error={error} retry={refetch} onClose={onClose} />
  return <Known file={file} onClose={onClose} drawing={drawing} />
}

/** 监测告警 in dictionary inspectType, 起重机械与设备 in rectifyCategory. */
const [alarmSource, machineCategory] = ['14', '04']

function Known({ file, onClose, drawing }: { file: AlarmFile; onClose: () => void; drawing: AlarmDetailProps['drawing'] }) {
  const { data: family } = useFamily(file.family)
  const now = useNow(1000)
  const go = useGo()
  const live = livePages[file.family]
  const mayWatch = useCan(live?.code ?? [])
  const peak = peakWords(file)
  const kind = kindAt(file)
  const openLive = (path: string) => {
    onClose()
    go(path, { deviceId: file.deviceId })
  }
  const gov = useGroupType() === groupTypes.government
  const mayOrder = useCan(gov ? 'supervision.rectifyIssue' : 'inspection.rectifyIssue') && !file.simulated
  const order = () => {
    onClose()
    go(gov ? '/safetySupervisionRectification/edit' : '/safetyP/abarbeitung/create', {
      project: file.projectCode,
      sourceKind: 'alarm',
      sourceId: file.id,
      sourceType: alarmSource,
      category: machineCategory,
      about: `${file.deviceName}${file.alarmLabel}${file.thresholdText ? `（${file.thresholdText}）` : ''}`,
      part: file.deviceName,
    })
  }
  return (
    <WorkItem
      lead={<RiskBadge level={file.level} />}
      title={file.alarmLabel}
      tags={
        <>
          <ActiveTag row={file} />
          <StateTag state={file.state} />
          <MarkTags row={file} />
        </>
      }
      facts={[
        { label: '对象', value: `${file.deviceName}${file.point ? ` · ${file.point}` : ''}` },
        ...(file.person
          ? [{ label: '人员', value: [file.person.name ?? '未绑定人员', file.person.team].filter(Boolean).join(' · ') }]
          : []),
        ...(file.person?.place ? [{ label: '位置', value: file.person.place }] : []),
        { label: '开始', value: time(file.startTime) },
        { label: '持续', value: lasted(file, now) },
        ...(peak ? [{ label: '峰值', value: peak }] : []),
        ...(file.reopened > 0 ? [{ label: '重复触发', value: `${file.reopened} 次` }] : []),
      ]}
      actions={
        <>
          {live && mayWatch && file.active && <Button onClick={() => openLive(live.path)}>打开实时页</Button>}
          {mayOrder && <Button onClick={order}>下发整改</Button>}
        </>
      }
      onClose={onClose}
      side={
        <>
          <AlarmHandling key={`${file.state}${file.version}`} file={file} />
          <LinkageNow projectCode={file.projectCode} alarmId={file.id} />
          <AlarmCourse file={file} />
        </>
      }
    >
      {file.beside.length > 0 && (
        <Notice tone="info">
          同一事件还有 {file.beside.length} 条：{besideWords(file.beside, file.deviceName)}
        </Notice>
      )}
      {file.near.length > 0 && <Notice tone="warning">距离最近：{file.near.map((one) => `${one.name} ${one.metres} m`).join('、')}</Notice>}
      <EvidenceChart file={file} family={family} />
      {drawing?.(file)}
      {isExceedance(file) && <AlarmCauses file={file} />}
      {kind && <AlarmFindings file={file} kind={kind} />}
      <AlarmMedia file={file} />
      <AlarmReadings file={file} />
      <AlarmValues file={file} family={family} />
    </WorkItem>
  )
}
