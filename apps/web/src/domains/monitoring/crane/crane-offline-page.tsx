import { towerOnline } from '@zhugong/contract/monitoring/crane/crane-endpoints'
import { craneOfflineList, explainSilence, findOfflineSpans, offlineCauses } from '@zhugong/contract/monitoring/crane/crane-lists'
import { Checkbox } from 'antd'
import { useState } from 'react'
import { useCall } from '#kit/call.ts'
import { colors } from '#kit/colors.ts'
import { DataTable } from '#kit/data-table.tsx'
import { Card, DetailSkeleton, Tag } from '#kit/feedback.tsx'
import { Swatch } from '#kit/filled.tsx'
import { span, thousands, time } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { hrefOf, usePageQuery } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { BandAxis } from '../band-axis.tsx'
import { FamilyRecord } from '../family-record.tsx'
import { type FamilyScope, useFamilyScope } from '../family-scope.tsx'
import { replayText } from '../replay.ts'
import { OfflineNote } from './offline-note.tsx'
import '../family.css'

const causes = [...offlineCauses, '未知']
const longestReadingMs = 31 * 86_400_000
const tones = { 断电: 'neutral', 停工: 'neutral', 网关: 'warning', 网络: 'warning', 设备故障: 'danger', 未知: 'danger' } as const

/** Offline spans of cranes, their causes, and whether the crane worked meanwhile. */
export default function CraneOfflinePage() {
  const scope = useFamilyScope({ family: 'towerCrane', usual: '7' })
  const all = usePageQuery().get('by') === 'all'
  const query = all ? scope.query : { ...scope.query, night: '0' as const }
  const list = useListPage(craneOfflineList, { scope: query, own: [...scope.own, 'night'], defaultSort: '-startTime' })
  const counts = useCall(findOfflineSpans, { query: { ...scope.query, size: 1 } }, { quiet: true, keepPrevious: true })
  const worked = useCall(
    findOfflineSpans,
    { query: { ...scope.query, workedMeanwhile: '1', size: 1 } },
    { quiet: true, keepPrevious: true },
  )
  const shares = useShares(scope)
  const bands = useBands(scope)
  const [noted, setNoted] = useState<(typeof list.rows)[number]>()
  const mean = shares.list.length > 0 ? shares.list.reduce((sum, one) => sum + one.onlinePercent, 0) / shares.list.length : undefined
  const columns: ColumnOf<typeof craneOfflineList>[] = [
    ...(scope.projectCode === '*'
      ? [{ key: 'projectName' as const, width: 180, value: (r: { projectName: string }) => r.projectName }]
      : []),
    { key: 'deviceName', width: 112, locked: true, filter: 'text', value: (r) => r.deviceName },
    { key: 'startTime', width: 152, sort: true, value: (r) => time(r.startTime) },
    { key: 'endTime', width: 152, value: (r) => (r.endTime === null ? <Tag tone="danger">未恢复</Tag> : time(r.endTime)) },
    {
      key: 'durationSeconds',
      title: '时长',
      width: 108,
      align: 'right',
      sort: true,
      filter: 'numeric-range',
      value: (r) => span(r.durationSeconds * 1000),
    },
    {
      key: 'cause',
      width: 84,
      filter: 'multi',
      options: causes.map((value) => ({ value, label: value })),
      value: (r) => <Tag tone={tones[r.cause as keyof typeof tones] ?? 'neutral'}>{r.cause}</Tag>,
    },
    {
      key: 'workedMeanwhile',
      width: 120,
      filter: 'single',
      options: [
        { value: '1', label: '有作业' },
        { value: '0', label: '无作业' },
      ],
      value: (r) => (r.workedMeanwhile ? <span className="tone-warning">有作业</span> : '否'),
    },
    { key: 'remark', width: 180, weak: true, value: (r) => (r.remark === null ? null : <span title={r.byName ?? ''}>{r.remark}</span>) },
    { key: 'byName', width: 84, hidden: true, value: (r) => r.byName },
    { key: 'backfilled', width: 84, value: (r) => (r.backfilled ? '已补传' : '否') },
  ]
  // The height of the bands depends on the number of machines, so the table waits for it.
  if (!scope.settled || bands.isPending) return <DetailSkeleton />
  return (
    <FamilyRecord
      scope={scope}
      unit="塔机"
      periods={['7', '30', '90']}
      loading={!counts.data || !worked.data || !shares.data}
      figures={[
        {
          label: '在线',
          value: counts.data?.online,
          unit: '台',
          remark: counts.data && `在用 ${counts.data.online + counts.data.offline} 台`,
        },
        { label: '离线', value: counts.data?.offline, unit: '台', tone: counts.data?.offline ? 'danger' : undefined },
        { label: '在线率', value: mean?.toFixed(1), unit: '%', remark: scope.words },
        {
          label: '离线期间有作业',
          value: thousands(worked.data?.total),
          unit: '次',
          remark: '恢复后补传了吊装循环',
          tone: worked.data?.total ? 'warning' : undefined,
        },
      ]}
      titleActions={
        <Checkbox checked={all} onChange={(event) => scope.put({ by: event.target.checked ? 'all' : undefined })}>
          含夜间断电（22 至 6 时）
        </Checkbox>
      }
      above={<Bands scope={scope} />}
    >
      <DataTable
        list={list}
        columns={columns}
        unit="次"
        emptyHint="这段时间没有离线"
        actions={(row) => [
          { label: '填写原因', needs: explainSilence, onClick: () => setNoted(row) },
          {
            label: '当时读数',
            href: hrefOf('/tower/monitoringRecord', {
              deviceId: row.deviceId,
              period: replayText({
                from: row.startTime - 600_000,
                to: Math.min(row.endTime ?? Date.now(), row.startTime + longestReadingMs) + 600_000,
              }),
            }),
          },
          { label: '设备档案', href: hrefOf('/administrationDetails', { id: row.deviceId }), needs: 'device-admin.view' },
        ]}
      />
      {noted && <OfflineNote silence={noted} onClose={() => setNoted(undefined)} />}
    </FamilyRecord>
  )
}

function useShares(scope: FamilyScope) {
  const { data } = useCall(towerOnline, { query: { ...scope.query, groupBy: 'device', size: 1000 } }, { quiet: true, keepPrevious: true })
  return { list: (data?.list ?? []).flatMap((one) => ('onlinePercent' in one ? [one] : [])), data }
}

const mostBands = 12
const fills: Readonly<Record<string, string>> = {
  断电: colors.border,
  停工: colors.lineStrong,
  网关: colors.orange,
  网络: colors.amber,
  设备故障: colors.dangerDark,
  其他: colors.purple,
  未知: colors.danger,
}

const useBands = (scope: FamilyScope) =>
  useCall(findOfflineSpans, { query: { ...scope.query, size: 1000, sort: 'startTime' } }, { quiet: true, keepPrevious: true })

/** One band per crane: green while online, in the colour of the cause while offline. */
function Bands({ scope }: { scope: FamilyScope }) {
  const { data } = useBands(scope)
  const devices = scope.devices.filter((one) => scope.deviceId === undefined || one.id === scope.deviceId).slice(0, mostBands)
  if (devices.length === 0) return null
  const { from, to } = scope.period
  const share = (at: number) => ((Math.min(to, Math.max(from, at)) - from) / (to - from)) * 100
  return (
    <Card
      title="在线时段"
      remark={scope.devices.length > mostBands && !scope.deviceId ? `${scope.words}，画出前 ${mostBands} 台` : scope.words}
      actions={
        <span className="zg-2">
          {[['在线', colors.fineLine] as const, ...causes.map((one) => [one, fills[one] ?? colors.danger] as const)].map(
            ([label, fill]) => (
              <span key={label} className="fam-key">
                <Swatch color={fill} />
                {label}
              </span>
            ),
          )}
        </span>
      }
    >
      {devices.map((device) => {
        const own = (data?.list ?? []).filter((one) => one.deviceId === device.id)
        return (
          <div key={device.id} className="fam-band">
            <span className="name" title={`${device.projectName} ${device.name}`}>
              {device.name}
            </span>
            <svg
              width="100%"
              height={14}
              preserveAspectRatio="none"
              viewBox="0 0 100 10"
              role="img"
              aria-label={`${device.name} 离线 ${own.length} 次`}
            >
              <rect width={100} height={10} fill={colors.fineLine} />
              {own.map((one) => (
                <rect
                  key={one.id}
                  x={share(one.startTime)}
                  width={Math.max(0.2, share(one.endTime ?? to) - share(one.startTime))}
                  height={10}
                  fill={fills[one.cause] ?? colors.danger}
                >
                  <title>
                    {time(one.startTime)} 至 {one.endTime === null ? '未恢复' : time(one.endTime)} {one.cause}
                  </title>
                </rect>
              ))}
            </svg>
          </div>
        )
      })}
      <BandAxis from={from} to={to} wide />
    </Card>
  )
}
