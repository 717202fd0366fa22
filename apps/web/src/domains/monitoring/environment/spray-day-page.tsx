import { findSprayDays, sprayDayList } from '@zhugong/contract/monitoring/environment/environment-lists'
import { Segmented } from 'antd'
import { NoticeMark, useNoticeForm, useNotices } from '#domains/alarms/public.tsx'
import { useCall } from '#kit/call.ts'
import { DataTable } from '#kit/data-table.tsx'
import { Tag } from '#kit/feedback.tsx'
import { measure, thousands } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { hrefOf, usePageQuery } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { FamilyRecord } from '../family-record.tsx'
import { type FamilyScope, useFamilyScope } from '../family-scope.tsx'
import { UnsprayedTable } from './unsprayed-table.tsx'

/** Below this percentage of sprayed time a site's spraying is insufficient. */
const leastResponse = 60
const most = 1_000
const unsprayed = 'unsprayed'

/** Do sites really spray when dust is high, and at what cost of water? */
export default function SprayDayPage() {
  const scope = useFamilyScope({ family: 'sprayController', usual: '7' })
  const byEpisode = usePageQuery().get('by') === unsprayed
  const { deviceId: _line, ...site } = scope.query
  const fixed = { ...site, groupBy: 'project,day' as const }
  const all = useCall(findSprayDays, { query: { ...fixed, size: most } }, { quiet: true, keepPrevious: true })
  const days = all.data?.list ?? []
  const sum = (pick: (day: (typeof days)[number]) => number) => days.reduce((total, day) => total + pick(day), 0)
  const over = sum((day) => day.overMinutes)
  const idle = days.filter((day) => day.responsePercent !== null && day.responsePercent < leastResponse && day.hasSpray).length
  return (
    <FamilyRecord
      scope={scope}
      unit="喷淋区域"
      periods={['1', '7', '30']}
      loading={!all.data}
      figures={[
        { label: '超标', value: thousands(over), unit: '分', remark: `${scope.words}，扬尘告警持续时间` },
        {
          label: '响应率',
          value: over > 0 ? ((sum((day) => day.sprayedMinutes) / over) * 100).toFixed(1) : '--',
          unit: '%',
          remark: '超标时间中在喷淋的占比',
        },
        {
          label: '用水量',
          value: thousands(
            sum((day) => day.waterVolume),
            1,
          ),
          unit: 'm³',
        },
        { label: `响应率不足 ${leastResponse} %`, value: idle, unit: '项目·日', tone: idle > 0 ? 'warning' : undefined },
      ]}
      titleActions={
        <Segmented
          aria-label="汇总或逐次"
          value={byEpisode ? unsprayed : 'day'}
          options={[
            { value: 'day', label: '按项目与日' },
            { value: unsprayed, label: '超标未喷淋' },
          ]}
          onChange={(value) => scope.put({ by: value === unsprayed ? unsprayed : undefined, sort: undefined })}
        />
      }
    >
      {byEpisode ? <UnsprayedTable scope={scope} /> : <Days scope={scope} />}
    </FamilyRecord>
  )
}

/** One row per project and day. */
function Days({ scope }: { scope: FamilyScope }) {
  const { deviceId: _line, ...site } = scope.query
  const notices = useNotices(scope.projectCode)
  const notice = useNoticeForm()
  const list = useListPage(sprayDayList, {
    scope: { ...site, groupBy: 'project,day' as const },
    own: scope.own,
    defaultSort: 'responsePercent',
  })
  const columns: ColumnOf<typeof sprayDayList>[] = [
    { key: 'projectName', width: 200, locked: true, filter: 'text', value: (r) => r.projectName },
    { key: 'areaName', width: 100, weak: true, value: (r) => r.areaName },
    { key: 'day', width: 108, sort: true, value: (r) => r.day },
    { key: 'overMinutes', width: 104, align: 'right', sort: true, filter: 'numeric-range', value: (r) => thousands(r.overMinutes) },
    { key: 'sprayedMinutes', width: 124, align: 'right', value: (r) => thousands(r.sprayedMinutes) },
    {
      key: 'responsePercent',
      width: 116,
      align: 'right',
      sort: true,
      filter: 'numeric-range',
      value: (r) =>
        !r.hasSpray ? (
          <Tag>未安装喷淋</Tag>
        ) : r.responsePercent === null ? (
          <span className="zg-2">无超标</span>
        ) : (
          <span className={r.responsePercent < leastResponse ? 'tone-danger' : 'tone-fine'}>{r.responsePercent.toFixed(1)}</span>
        ),
    },
    { key: 'medianDelay', width: 152, align: 'right', value: (r) => measure(r.medianDelay, 1) },
    { key: 'runs', width: 76, align: 'right', value: (r) => r.runs },
    { key: 'waterVolume', width: 108, align: 'right', sort: true, value: (r) => measure(r.waterVolume, 1) },
    { key: 'manualPercent', width: 116, align: 'right', value: (r) => (r.runs > 0 ? r.manualPercent.toFixed(0) : null) },
    { key: 'hasSpray', width: 92, hidden: true, value: (r) => (r.hasSpray ? '有' : '无') },
    { key: 'notice', width: 116, value: (r) => <NoticeMark notice={notices({ projectCode: r.projectCode, says: `${r.day} 喷淋` })} /> },
  ]
  return (
    <>
      <DataTable
        list={list}
        columns={columns}
        rowKey={(row) => `${row.projectCode}${row.day}`}
        unit="项目·日"
        emptyHint="范围内没有监测站和喷淋"
        actions={(row) => [
          { label: '喷淋记录', href: hrefOf('/sprayrecord', { period: `${row.day},${row.day}` }) },
          notice.may && {
            label: '督办',
            onClick: () =>
              notice.send({
                kind: 'supervise',
                hours: 24,
                text: '超标时段未按要求喷淋，请说明原因并落实整改。',
                targets: [
                  {
                    projectCode: row.projectCode,
                    subject: `${row.day} 喷淋响应率 ${row.responsePercent === null ? '--' : `${row.responsePercent.toFixed(0)} %`}，超标 ${row.overMinutes.toFixed(0)} 分`,
                  },
                ],
              }),
          },
        ]}
      />
      {notice.form}
    </>
  )
}
