import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { findHelmetStays } from '@zhugong/contract/monitoring/helmet/helmets'
import { useMemo } from 'react'
import { useCall } from '#kit/call.ts'
import { Card, DetailSkeleton, Empty, ErrorPanel, FigureStrip, Tag } from '#kit/feedback.tsx'
import { day, minuteOfDay, span, time } from '#kit/format.ts'
import { PageShell } from '#kit/list-shell.tsx'
import { Rows } from '../family-analysis.tsx'
import '../family.css'
import { OneSite } from '../one-site.tsx'
import { useSize } from '../plan-view.tsx'
import type { Span } from '../replay.ts'
import './helmet.css'
import { LookBar, useLookAt } from './look-at.tsx'

type Stay = OutputFor<typeof findHelmetStays>['list'][number]
/** As in the over-stay rule: an hour in one area. */
const longStaySeconds = 3_600

export default function BaseTrackPage() {
  return (
    <OneSite family="baseStationHelmet" unit="基站安全帽">
      {(projectCode) => <OfProject key={projectCode} projectCode={projectCode} />}
    </OneSite>
  )
}

/** In which areas was this person, in what order, and how long? Paths between stations are unknown and not drawn. */
function OfProject({ projectCode }: { projectCode: string }) {
  const at = useLookAt(projectCode, '701')
  const { looked } = at
  const stays = useCall(
    findHelmetStays,
    {
      query: {
        deviceId: looked?.deviceId,
        category: '701',
        startTime: String(looked?.span.from ?? 0),
        endTime: String(looked?.span.to ?? 1),
        reason: looked?.reason,
      },
    },
    { quiet: true, enabled: looked !== undefined, staleMs: 600_000 },
  )
  const list = looked ? (stays.data?.list ?? []) : []
  const name = list[0]?.workerName ?? list[0]?.deviceName ?? ''
  const over = list.filter((one) => one.durationSeconds >= longStaySeconds)
  const lost = list.filter((one) => one.lost)
  return (
    <PageShell remark={<span className="mon-said">只有区域停留，没有路线：不在两个基站之间编造路径；每次查看都会留痕</span>}>
      <div className="fam-analysis">
        <Card title="查看停留">
          <LookBar at={at} />
        </Card>
        {!looked ? (
          <Card>
            <Empty text={at.deviceId ? '填写事由后显示停留' : '先选择人员和日期'} hint="查看个人轨迹需要事由，本人可以看到谁看过" />
          </Card>
        ) : stays.error ? (
          <Card>
            <ErrorPanel error={stays.error} retry={stays.refetch} />
          </Card>
        ) : stays.isPending ? (
          <DetailSkeleton />
        ) : list.length === 0 ? (
          <Card>
            <Empty text="这一天没有被基站读到" hint="不在井下或室内，或标签没电；室外看安全帽轨迹" />
          </Card>
        ) : (
          <>
            <FigureStrip
              items={[
                { label: '停留', value: list.length, unit: '段', remark: `${day(looked.span.from)} ${name}` },
                { label: '到过区域', value: new Set(list.map((one) => one.stationId)).size, unit: '个' },
                { label: '滞留超时', value: over.length, unit: '段', remark: '一小时以上', tone: over.length > 0 ? 'warning' : undefined },
                {
                  label: '失联',
                  value: lost.length,
                  unit: '段',
                  remark: '没电后读不到，不算离开',
                  tone: lost.length > 0 ? 'danger' : undefined,
                },
              ]}
            />
            <Card title="停留图" remark="行为区域，块为停留；红色为一小时以上，灰色为失联">
              <Gantt stays={list} span={looked.span} />
            </Card>
            <Card title="停留明细" remark={`事由：${looked.reason}`}>
              <Rows
                height={320}
                table={{
                  head: ['进入', '离开', '区域', '楼层', '停留', '说明'],
                  rows: list.map((one) => [
                    time(one.enterTime),
                    one.leaveTime === null ? '仍在' : time(one.leaveTime),
                    one.areaName,
                    one.floorName,
                    span(one.durationSeconds * 1000),
                    one.lost ? '失联' : one.durationSeconds >= longStaySeconds ? '滞留超时' : '',
                  ]),
                }}
              />
              {lost.length > 0 && <Tag tone="warning">失联按最后一次读到的时刻结束</Tag>}
            </Card>
          </>
        )}
      </div>
    </PageShell>
  )
}

const left = 150
const rowPx = 30
const foot = 24

/** One row per area, one block per stay. */
function Gantt({ stays, span: whole }: { stays: readonly Stay[]; span: Span }) {
  const [ref, width] = useSize<HTMLDivElement>()
  const areas = useMemo(() => [...new Map(stays.map((one) => [one.stationId, `${one.areaName} ${one.floorName}`]))], [stays])
  const height = areas.length * rowPx + foot
  return (
    <div className="helmet-gantt" ref={ref}>
      <svg width={Math.max(320, width)} height={height} role="img" aria-label={stays.map(words).join('；')}>
        {width > 0 && <Bars stays={stays} areas={areas} whole={whole} width={width} height={height} />}
      </svg>
    </div>
  )
}

const words = (one: Stay) =>
  `${one.areaName} ${minuteOfDay(one.enterTime)} 至 ${one.leaveTime === null ? '今' : minuteOfDay(one.leaveTime)}${one.lost ? '，失联' : ''}`

interface BarsProps {
  stays: readonly Stay[]
  areas: readonly (readonly [string, string])[]
  whole: Span
  width: number
  height: number
}

function Bars({ stays, areas, whole, width, height }: BarsProps) {
  const x = (at: number) =>
    left + ((Math.min(whole.to, Math.max(whole.from, at)) - whole.from) / (whole.to - whole.from)) * (width - left - 12)
  const hours = Array.from({ length: Math.floor((whole.to - whole.from) / 3_600_000) + 1 }, (_, i) => whole.from + i * 3_600_000)
  return (
    <>
      {hours
        .filter((_, i) => i % 2 === 0)
        .map((at) => (
          <g key={at}>
            <line x1={x(at)} x2={x(at)} y1={0} y2={height - foot} className="grid" />
            <text x={x(at)} y={height - 6} textAnchor="middle" className="row">
              {minuteOfDay(at)}
            </text>
          </g>
        ))}
      {areas.map(([station, name], i) => (
        <g key={station}>
          <line x1={0} x2={width} y1={(i + 1) * rowPx} y2={(i + 1) * rowPx} className="grid" />
          <text x={4} y={i * rowPx + 20} className="row">
            {name}
          </text>
          {stays
            .filter((one) => one.stationId === station)
            .map((one) => (
              <rect
                key={one.enterTime}
                x={x(one.enterTime)}
                y={i * rowPx + 6}
                width={Math.max(3, x(one.leaveTime ?? whole.to) - x(one.enterTime))}
                height={rowPx - 12}
                rx={2}
                className="stay"
                data-state={one.lost ? 'lost' : one.durationSeconds >= longStaySeconds ? 'over' : 'fine'}
              >
                <title>{words(one)}</title>
              </rect>
            ))}
        </g>
      ))}
    </>
  )
}
