import { isUrgeable } from '@zhugong/contract/alarms/codes'
import type { ProjectAlarms } from '@zhugong/contract/alarms/endpoints'
import { alarmList, findAlarms, findSiteAlarms, siteAlarmList } from '@zhugong/contract/alarms/lists'
import { sendNotice } from '@zhugong/contract/alarms/notices'
import { dayMs } from '@zhugong/contract/kit/time'
import { Segmented } from 'antd'
import { useMemo } from 'react'
import { type CallState, call, showFailure, useCall } from '#kit/call.ts'
import { Chart, type ChartOption } from '#kit/chart.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { Card, Empty, FigureStrip, Known, RiskBadge, Tag } from '#kit/feedback.tsx'
import { day, riskLevels, thousands, time } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { switchScope, useProjectCode } from '#kit/me.ts'
import { notify } from '#kit/notify.ts'
import { useGo, usePage, usePageQuery } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { AlarmDrawer } from './alarm-drawer.tsx'
import { ActiveTag, lasted, levelOptions, placeOf, StateTag, stateOptions } from './alarm-words.tsx'
import { alarmNotice, siteNotice, UrgingMark, useNoticeForm } from './notice-form.tsx'
import './alarms.css'

type SiteColumn = ColumnOf<typeof siteAlarmList>
interface Scope {
  projectCode: string
  startTime: string
}
const levels = [1, 2, 3, 4] as const
/** Height for twelve sites; fixed, so that the table below does not jump when the chart has fewer. */
const chartHeight = 240
/** Largest page size the endpoint allows. */
const mostSites = 1_000
const periods = [
  { value: '7', label: '近 7 天' },
  { value: '30', label: '近 30 天' },
  { value: '90', label: '近 90 天' },
]

/** Alarms over many sites: where they stay unhandled, and which sites report suspiciously little. Read-only: acknowledging is up to the site. */
export default function AlarmRecordsPage() {
  const query = usePageQuery()
  const page = usePage()
  const go = useGo()
  const projectCode = useProjectCode()
  const period = query.get('period') ?? '30'
  const tab = query.get('tab') ?? 'projects'
  const startTime = `${day(Date.now() - (Number(period) - 1) * dayMs)} 00:00:00`
  const turn = (next: Record<string, string>) => go(page.path, { tab, period, ...next }, { replace: true })
  const scope = useMemo(() => ({ projectCode, startTime }), [projectCode, startTime])
  const all = useCall(findSiteAlarms, { query: { ...scope, groupBy: 'project', size: mostSites } }, { quiet: true })
  const sites = all.data?.list ?? []
  const sum = (pick: (one: ProjectAlarms) => number) => sites.reduce((total, one) => total + pick(one), 0)
  const silent = sites.filter((one) => one.silent).length
  const overdue = sum((one) => one.openOver24h)
  const bar = (
    <>
      <Segmented
        value={tab}
        options={[
          { value: 'projects', label: '按项目' },
          { value: 'alarms', label: '明细' },
        ]}
        onChange={(value) => turn({ tab: value })}
      />
      <Segmented value={period} options={periods} onChange={(value) => turn({ period: value })} />
    </>
  )
  return (
    <ListShell
      remark="按未处置排序，报得多的工地不等于最差"
      actions={bar}
      strip={
        <FigureStrip
          loading={!all.data}
          items={[
            { label: '一二级告警', value: thousands(sum((one) => one.level1 + one.level2)), unit: '条' },
            { label: '超 24 小时未处置', value: thousands(overdue), unit: '条', tone: overdue ? 'danger' : undefined },
            { label: '有告警的项目', value: sites.filter((one) => levels.some((l) => one[`level${l}`] > 0)).length, unit: '个' },
            {
              label: '零告警且离线',
              value: silent,
              unit: '个',
              remark: '看着安静，其实没有数据',
              tone: silent ? 'warning' : undefined,
            },
          ]}
        />
      }
      above={tab === 'projects' && <LevelBars sites={sites} all={all} />}
    >
      {tab === 'projects' ? <SiteTable key={startTime} scope={scope} /> : <AlarmTable key={startTime} scope={scope} />}
    </ListShell>
  )
}

function LevelBars({ sites, all }: { sites: readonly ProjectAlarms[]; all: CallState }) {
  const shown = useMemo(
    () =>
      [...sites]
        .sort((a, b) => b.level1 + b.level2 - a.level1 - a.level2 || b.level3 + b.level4 - a.level3 - a.level4)
        .slice(0, 12)
        .reverse(),
    [sites],
  )
  const option = useMemo<ChartOption>(
    () => ({
      grid: { left: 8, right: 24, top: 28, bottom: 8, containLabel: true },
      legend: { top: 0, right: 0 },
      tooltip: { trigger: 'axis', axisPointer: { type: 'shadow' } },
      xAxis: { type: 'value', minInterval: 1 },
      yAxis: { type: 'category', data: shown.map((one) => one.projectName) },
      series: levels.map((level) => ({
        type: 'bar',
        stack: 'all',
        barMaxWidth: 16,
        name: `${'一二三四'[level - 1]}级`,
        itemStyle: { color: riskLevels[level].ground },
        data: shown.map((one) => one[`level${level}`]),
      })),
    }),
    [shown],
  )
  return (
    <Card title="各项目告警等级" remark={sites.length > shown.length ? `一二级最多的 ${shown.length} 个` : undefined}>
      <div style={{ height: chartHeight }}>
        {shown.length === 0 ? (
          <Known of={all}>
            <Empty small text="这段时间没有告警" />
          </Known>
        ) : (
          <Chart option={option} height={chartHeight} label="各项目一到四级告警条数" />
        )}
      </div>
    </Card>
  )
}

function SiteTable({ scope }: { scope: Scope }) {
  const notice = useNoticeForm()
  const go = useGo()
  const list = useListPage(siteAlarmList, { scope: { ...scope, groupBy: 'project' }, inUrl: false })
  const open = async (row: ProjectAlarms) => {
    if (await switchScope({ projectCode: row.projectCode, projectName: row.projectName })) go('/alarm/record')
  }
  const columns: SiteColumn[] = [
    {
      key: 'projectName',
      width: 200,
      locked: true,
      value: (row) => (
        <button type="button" className="zg-bare zg-link" onClick={() => void open(row)}>
          {row.projectName}
        </button>
      ),
    },
    { key: 'areaName', width: 88, value: (row) => row.areaName },
    { key: 'contractorCorpName', width: 160, value: (row) => row.contractorCorpName },
    ...levels.map(
      (level): SiteColumn => ({
        key: `level${level}` as const,
        width: 72,
        align: 'right',
        value: (row) => (row[`level${level}`] > 0 ? <b>{thousands(row[`level${level}`])}</b> : <span className="zg-2">0</span>),
      }),
    ),
    {
      key: 'openOver24h',
      width: 128,
      align: 'right',
      value: (row) => <span className={row.openOver24h > 0 ? 'tone-danger' : ''}>{thousands(row.openOver24h)}</span>,
    },
    {
      key: 'ackMinutes',
      width: 104,
      align: 'right',
      value: (row) => (row.ackMinutes === null ? null : `${row.ackMinutes.toFixed(0)} 分钟`),
    },
    { key: 'handledPercent', width: 88, align: 'right', value: (row) => `${row.handledPercent.toFixed(0)} %` },
    { key: 'falsePercent', width: 88, align: 'right', value: (row) => `${row.falsePercent.toFixed(0)} %` },
    {
      key: 'onlinePercent',
      width: 104,
      align: 'right',
      value: (row) =>
        row.onlinePercent === null ? null : (
          <span className={row.onlinePercent < 80 ? 'tone-warning' : ''}>{row.onlinePercent.toFixed(0)} %</span>
        ),
    },
    { key: 'silent', width: 128, value: (row) => row.silent && <Tag tone="warning">零告警且离线</Tag> },
  ]
  return (
    <>
      <DataTable
        list={list}
        columns={columns}
        rowKey="projectCode"
        unit="个"
        emptyHint="所辖项目在这段时间没有告警"
        actions={(row) => [
          { label: '查看告警', onClick: () => open(row) },
          notice.may && {
            label: '督办',
            needs: sendNotice,
            onClick: () => freeAlarms(row).then((sending) => sending && notice.send(sending)),
          },
        ]}
      />
      {notice.form}
    </>
  )
}

/** Largest page size the endpoint allows. */
const mostUrged = 200

/** Supervision order for all unhandled level 1 and 2 alarms of a site that have none yet. */
async function freeAlarms({ projectCode, projectName }: ProjectAlarms) {
  try {
    const { list } = await call(findAlarms, {
      query: { projectCode, level: '1,2', state: 'open,acknowledged', simulated: false, historical: false, urged: false, size: mostUrged },
    })
    const sending = siteNotice(list)
    if (!sending) notify.info(`${projectName}没有待处理且未督办的一、二级告警`)
    return sending
  } catch (failure) {
    showFailure(failure)
    return undefined
  }
}

function AlarmTable({ scope }: { scope: Scope }) {
  const page = usePage()
  const go = useGo()
  const query = usePageQuery()
  const alarmId = query.get('alarmId') ?? undefined
  const list = useListPage(alarmList, { scope, inUrl: false, defaultSort: 'level' })
  const notice = useNoticeForm()
  const show = (id: string | undefined) =>
    go(page.path, { ...Object.fromEntries(query), ...(id ? { alarmId: id } : { alarmId: undefined }) }, { replace: true })
  const columns: ColumnOf<typeof alarmList>[] = [
    {
      key: 'level',
      width: 92,
      sort: true,
      filter: 'multi',
      options: levelOptions,
      value: (row) => <RiskBadge level={row.level} />,
    },
    { key: 'alarmKey', width: 132, locked: true, value: (row) => row.alarmLabel },
    { key: 'projectName', width: 180, value: (row) => row.projectName },
    { key: 'deviceName', width: 140, value: (row) => row.deviceName },
    { key: 'active', width: 96, value: (row) => <ActiveTag row={row} /> },
    { key: 'state', width: 96, filter: 'multi', options: stateOptions, value: (row) => <StateTag state={row.state} /> },
    { key: 'urging', width: 128, value: (row) => <UrgingMark urging={row.urging} /> },
    { key: 'startTime', width: 152, sort: true, value: (row) => time(row.startTime) },
    { key: 'duration', width: 88, value: (row) => lasted(row, Date.now()) },
    { key: 'handlerName', width: 96, value: (row) => row.handlerName },
  ]
  return (
    <>
      <DataTable
        list={list}
        columns={columns}
        unit="条"
        onRow={(row) => show(row.id)}
        place={placeOf}
        actions={(row) => [
          { label: '查看', onClick: () => show(row.id) },
          notice.may && isUrgeable(row) && { label: '督办', needs: sendNotice, onClick: () => notice.send(alarmNotice(row)) },
        ]}
      />
      {notice.form}
      {alarmId && <AlarmDrawer id={alarmId} onClose={() => show(undefined)} />}
    </>
  )
}
