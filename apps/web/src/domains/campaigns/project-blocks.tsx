import { findAlarms } from '@zhugong/contract/alarms/lists'
import { statsList } from '@zhugong/contract/attendance/stats'
import { listDayChecks } from '@zhugong/contract/daychecks/calls'
import { listDues } from '@zhugong/contract/equipment/service-endpoints'
import { envRealtime } from '@zhugong/contract/monitoring/environment/environment-endpoints'
import { listVideoSites } from '@zhugong/contract/monitoring/video/video-sites'
import { callContact } from '@zhugong/contract/onboarding/endpoints'
import { safetyCheckInfo } from '@zhugong/contract/organisation/project-views'
import { actualProject } from '@zhugong/contract/organisation/projects'
import { listRectify } from '@zhugong/contract/rectify/calls'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { type CallState, call, useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { Card, Empty, Known, Pairs, RiskBadge, Tag } from '#kit/feedback.tsx'
import { day, month, thousands, time } from '#kit/format.ts'
import { Masked } from '#kit/masked.tsx'
import { hrefOf } from '#kit/page.tsx'
import { marks } from './campaign-words.tsx'

interface BlockProps {
  projectCode: string
}
const quiet = { quiet: true, offline: true } as const
const dayMs = 86_400_000
const alarmDays = 30
const mostLines = 5
const mostPeople = 9

/** One block of the briefing, with its own waiting and its own error. */
function Block({
  title,
  remark,
  of,
  href,
  children,
}: {
  title: string
  remark?: ReactNode
  of: CallState
  href?: string
  children: ReactNode
}) {
  return (
    <Card title={href ? <Link to={href}>{title}</Link> : title} remark={remark}>
      <Known of={of} rows={3}>
        {children}
      </Known>
    </Card>
  )
}

/** Who builds, where it stands, and whom to call. */
export function Parties({ projectCode }: BlockProps) {
  const read = useCall(actualProject, { query: { projectCode } }, quiet)
  const info = useCall(safetyCheckInfo, { params: { id: projectCode } }, quiet)
  const project = read.data
  return (
    <Block title="项目" of={read}>
      {project && (
        <Pairs
          items={[
            { label: '状态', value: `${project.prjStatusName ?? ''} ${project.phaseName ?? ''}` },
            { label: '工期', value: `${project.startDate ?? '--'} 至 ${project.completeDate ?? '--'}` },
            { label: '总承包', value: project.contractorCorpName, wide: true },
            { label: '建设单位', value: project.buildCorpName, wide: true },
            { label: '监督机构', value: info.data?.superviseOrgName },
            { label: '在册人数', value: thousands(project.onSite) },
            { label: '地址', value: project.address, wide: true },
            {
              label: '联系电话',
              value: (
                <Can code="personnel.unmask" fallback="无查看权限">
                  <Contact projectCode={projectCode} />
                </Can>
              ),
            },
          ]}
        />
      )}
    </Block>
  )
}

/** The number of the site's contact; every look is logged. */
function Contact({ projectCode }: BlockProps) {
  const reveal = async () => {
    const { linkMan, phone } = await call(callContact, { params: { id: projectCode }, query: { projectCode } })
    return `${linkMan} ${phone ?? '未登记'}`
  }
  return <Masked value="***********" label="联系电话" reveal={reveal} />
}

/** Presence of the key posts this month. */
export function People({ projectCode }: BlockProps) {
  const read = useCall(
    statsList,
    { params: { type: 'keyPost' }, query: { projectCode, month: month(Date.now()), size: mostPeople } },
    quiet,
  )
  const rows = read.data?.list ?? []
  return (
    <Block title="关键岗位" remark={`本月到岗率最低的 ${mostPeople} 名`} of={read}>
      {rows.length === 0 ? (
        <Empty small text="没有关键岗位考勤" />
      ) : (
        <ul className="campaign-lines">
          {rows.map((one) => (
            <li key={one.id}>
              <span>
                {one.postName ?? one.post} {one.name ?? '空缺'}
              </span>
              <span className={`zg-num ${one.below ? 'tone-danger' : ''}`}>{one.presence === null ? '--' : `${one.presence}%`}</span>
            </li>
          ))}
        </ul>
      )}
    </Block>
  )
}

/** Notices that are not closed. */
export function Notices({ projectCode }: BlockProps) {
  const read = useCall(listRectify, { query: { projectCode, tab: 'running', size: 20 } }, quiet)
  const rows = read.data?.list ?? []
  return (
    <Block
      title="未闭合整改"
      remark={read.data && `${read.data.total} 份`}
      of={read}
      href={hrefOf('/jgt/project/tgzg_index', { projectCode })}
    >
      {rows.length === 0 ? (
        <Empty small text="没有未闭合的整改" />
      ) : (
        <ul className="campaign-lines">
          {rows.slice(0, mostLines).map((one) => (
            <li key={one.id}>
              <Link to={hrefOf('/jgt/project/project_detail', { id: one.id })}>{one.summary}</Link>
              {one.overdueDays > 0 ? <Tag tone="danger">逾期 {one.overdueDays} 天</Tag> : <Tag tone="neutral">{one.stateName}</Tag>}
            </li>
          ))}
        </ul>
      )}
    </Block>
  )
}

/** The last three scores by authorities. */
export function Scores({ projectCode }: BlockProps) {
  const read = useCall(listDayChecks, { query: { projectCode, state: '2,3,4,5', sort: '-checkDate', size: 20 } }, quiet)
  const rows = (read.data?.list ?? []).filter((one) => one.score !== null).slice(0, 3)
  return (
    <Block title="近三次监督得分" of={read} href={hrefOf('/jgt/daycheck', { projectCode })}>
      {rows.length === 0 ? (
        <Empty small text="还没有监督检查得分" />
      ) : (
        <ul className="campaign-lines">
          {rows.map((one) => (
            <li key={one.id}>
              <span>
                <span className="zg-num">{one.checkTime.slice(0, 10)}</span> {one.inspectTypeName}
              </span>
              <span className="zg-num">
                {marks(one.score)} {one.gradeName}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Block>
  )
}

/** Tests and services of machines that are due first. */
export function Machines({ projectCode }: BlockProps) {
  const read = useCall(listDues, { query: { projectCode, sort: 'daysLeft', size: 20 } }, quiet)
  const rows = read.data?.list ?? []
  return (
    <Block title="设备检验与到期" remark={read.data && `已逾期 ${read.data.counts.overdue} 项`} of={read}>
      {rows.length === 0 ? (
        <Empty small text="没有待办的到期事项" />
      ) : (
        <ul className="campaign-lines">
          {rows.slice(0, mostLines).map((one) => (
            <li key={one.id}>
              <span>{one.deviceName}</span>
              <span className={`zg-num ${one.daysLeft < 0 ? 'tone-danger' : ''}`}>{one.dueDate}</span>
            </li>
          ))}
        </ul>
      )}
    </Block>
  )
}

/** Alarms of the last 30 days, the gravest first. */
export function Alarms({ projectCode }: BlockProps) {
  const startTime = `${day(Date.now() - alarmDays * dayMs)} 00:00:00`
  const read = useCall(findAlarms, { query: { projectCode, startTime, sort: 'level', size: 20 } }, quiet)
  const rows = read.data?.list ?? []
  return (
    <Block
      title={`近 ${alarmDays} 天告警`}
      remark={read.data && `${thousands(read.data.total)} 条`}
      of={read}
      href={hrefOf('/alarm/record', { projectCode })}
    >
      {rows.length === 0 ? (
        <Empty small text="没有告警" />
      ) : (
        <ul className="campaign-lines">
          {rows.slice(0, mostLines).map((one) => (
            <li key={one.id}>
              <span>
                <RiskBadge level={one.level} word={false} /> {one.alarmLabel} {one.deviceName}
              </span>
              <span className="zg-2 zg-num">{time(one.startTime).slice(5, 16)}</span>
            </li>
          ))}
        </ul>
      )}
    </Block>
  )
}

const pm10Of = (values: Readonly<Record<string, unknown>> | undefined): string => {
  const value = values?.pm10
  return typeof value === 'number' ? thousands(value) : '--'
}

/** Dust now. */
export function Air({ projectCode }: BlockProps) {
  const read = useCall(envRealtime, { query: { projectCode, page: 1, size: 20 } }, quiet)
  const rows = read.data?.list ?? []
  return (
    <Block title="扬尘" remark="PM10，μg/m³" of={read}>
      {rows.length === 0 ? (
        <Empty small text="没有监测点" />
      ) : (
        <ul className="campaign-lines">
          {rows.slice(0, mostLines).map((one) => (
            <li key={one.deviceId}>
              <span>{one.deviceName}</span>
              <span className={`zg-num ${(one.overPercent ?? 0) > 0 ? 'tone-danger' : ''}`}>
                {one.online ? pm10Of(one.latest?.values) : '离线'}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Block>
  )
}

/** Cameras of the site. */
export function Cameras({ projectCode }: BlockProps) {
  const read = useCall(listVideoSites, { query: { projectCode, size: 20 } }, quiet)
  const site = read.data?.list[0]
  return (
    <Block title="视频" of={read}>
      {site ? (
        <Pairs
          items={[
            { label: '在线', value: `${site.online} / ${site.cameras}` },
            { label: '缺少重点部位', value: site.keySpotMissing.length === 0 ? '无' : `${site.keySpotMissing.length} 处` },
          ]}
        />
      ) : (
        <Empty small text="没有摄像机" />
      )}
    </Block>
  )
}
