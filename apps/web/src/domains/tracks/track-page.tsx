import { CaretRightOutlined, FilePdfOutlined, PauseOutlined } from '@ant-design/icons'
import { type DayTrack, getTrack, trackSheet } from '@zhugong/contract/tracks/calls'
import type { Place } from '@zhugong/contract/tracks/track'
import { Button, Segmented, Slider } from 'antd'
import { useEffect, useMemo, useState } from 'react'
import { Link } from 'react-router'
import { askReason } from '#kit/ask.ts'
import { useAct, useCall } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { colors } from '#kit/colors.ts'
import { Card, Empty, ErrorPanel, FigureStrip, Known, Tag } from '#kit/feedback.tsx'
import { day as dayOf, minuteOfDay, thousands } from '#kit/format.ts'
import type { LngLat } from '#kit/geo.ts'
import { Choice, DayInput } from '#kit/inputs.tsx'
import { PageShell } from '#kit/list-shell.tsx'
import { SiteMap } from '#kit/map.tsx'
import type { MapLine, MapPoint } from '#kit/map-props.ts'
import { useMe } from '#kit/me.ts'
import { useGo, usePage, usePageQuery } from '#kit/page.tsx'
import { Thumb } from '#kit/viewers.tsx'
import './tracks.css'

const speeds = [1, 2, 4, 8, 16].map((value) => ({ value, label: `${value}×` }))
/** Seconds of the day in one second, at 1×. */
const secondsPerSecond = 60
const tickMs = 200
const dayMs = 86_400_000

/** This person's day: which sites, how long, does it match the records? */
export default function TrackPage() {
  const go = useGo()
  const { path } = usePage()
  const query = usePageQuery()
  const me = useMe((state) => state.info?.id ?? '')
  const userId = query.get('userId') ?? me
  const date = query.get('date') ?? dayOf(Date.now())
  const read = useCall(
    getTrack,
    { query: { userId, startTime: `${date} 00:00:00`, endTime: nextDay(date) } },
    { quiet: true, keepPrevious: true },
  )
  const mayExport = useCan(trackSheet)
  const sheet = useAct(trackSheet, { success: false, refreshes: [] })
  const { day, officers = [], keepDays } = read.data ?? {}
  const choose = (more: { userId?: string; date?: string }) => go(path, { userId, date, ...more }, { replace: true })
  const names = new Map([...(day ? [[day.userId, day.name] as const] : []), ...officers.map((one) => [one.userId, one.name] as const)])
  const takeOut = async () => {
    const purpose = await askReason(`导出 ${day?.name ?? ''} ${date} 的日报`, '用途（至少 4 个字）')
    if (purpose) await sheet.run({ query: { userId, day: date, purpose } })
  }
  return (
    <PageShell
      fill
      remark={`只在执勤时段和检查中采集，保存 ${keepDays ?? '--'} 天；每次查看留痕`}
      actions={
        mayExport && (
          <Button icon={<FilePdfOutlined />} loading={sheet.running} disabled={!day} onClick={() => void takeOut()}>
            导出日报
          </Button>
        )
      }
    >
      <div className="track-stack">
        <FigureStrip
          loading={!day}
          items={[
            { label: '到场工地', value: day && new Set(day.stays.map((one) => one.projectCode)).size, unit: '个' },
            { label: '检查记录', value: day?.checks.length, unit: '份' },
            { label: '行程', value: day && thousands(day.km), unit: 'km', remark: '中断不计' },
            { label: '异常位置', value: day?.jumps.length, unit: '个', tone: day?.jumps.length ? 'warning' : undefined },
          ]}
        />
        {read.error && !read.data ? (
          <ErrorPanel error={read.error} retry={read.refetch} />
        ) : (
          <div className="track-stage">
            <div className="track-left">
              <Choice
                clear={false}
                aria-label="监督人员"
                value={userId}
                options={[...names].map(([value, label]) => ({ value, label }))}
                onChange={(next) => choose({ userId: next })}
              />
              <DayInput aria-label="日期" value={date} max={dayOf(Date.now())} onChange={(next) => choose({ date: next })} />
              <Known of={read}>{day && <Records day={day} />}</Known>
            </div>
            {day && <Played key={`${day.userId}${date}`} day={day} />}
          </div>
        )}
      </div>
    </PageShell>
  )
}

const nextDay = (date: string) => `${dayOf(Date.parse(`${date}T00:00:00+08:00`) + dayMs)} 00:00:00`

/** Stays beside the records: what has no counterpart is marked. */
function Records({ day }: { day: DayTrack }) {
  if (day.stays.length === 0 && day.checks.length === 0)
    return <Empty text="没有到过工地，也没有检查记录" hint="停留在项目围栏内才算到场" />
  return (
    <>
      <Card title="到场" remark={`${day.stays.length} 次`}>
        {day.stays.map((one) => (
          <p key={one.from}>
            <b className="zg-num">
              {minuteOfDay(one.from)}–{minuteOfDay(one.to)}
            </b>{' '}
            {one.projectName} <span className="zg-2">{one.minutes} 分钟</span>{' '}
            {one.checks.length > 0 ? <Tag tone="fine">检查 {one.checks.length}</Tag> : <Tag tone="warning">无检查记录</Tag>}
          </p>
        ))}
      </Card>
      <Card title="检查" remark={`${day.checks.length} 份`}>
        {day.checks.map((one) => (
          <div key={one.id} className="zg-below-12">
            <span className="zg-num">{minuteOfDay(one.time)}</span>{' '}
            <Link className="zg-in-text" to={one.link}>
              {[one.title, one.code].filter(Boolean).join(' ')}
            </Link>{' '}
            {!one.hasStay && <Tag tone="warning">无到场轨迹</Tag>}
            <br />
            <span className="zg-2">{one.projectName}</span>
            <span className="zg-row zg-wrap zg-gap-6">
              {one.photos.slice(0, 4).map((photo, at) => (
                <Thumb key={photo} src={photo} name={`现场照片 ${at + 1}`} width={64} height={48} />
              ))}
            </span>
          </div>
        ))}
      </Card>
    </>
  )
}

const placeOf = ({ lng, lat }: Place): LngLat => [lng, lat]

function Played({ day }: { day: DayTrack }) {
  const all = useMemo(() => day.segments.flat(), [day])
  const [first, last] = [all[0]?.time ?? 0, all.at(-1)?.time ?? 0]
  const [at, setAt] = useState(last)
  const [playing, setPlaying] = useState(false)
  const [speed, setSpeed] = useState(4)
  useEffect(() => {
    if (!playing) return undefined
    const timer = setInterval(() => {
      setAt((now) => {
        const next = now + speed * secondsPerSecond * tickMs
        if (next >= last) setPlaying(false)
        return Math.min(last, next)
      })
    }, tickMs)
    return () => clearInterval(timer)
  }, [playing, speed, last])
  const here = all.findLast((one) => one.time <= at)
  const lines: MapLine[] = [
    ...day.segments.map((segment, no): MapLine => ({ id: `line${no}`, path: segment.map(placeOf), color: colors.primary, width: 3 })),
    // A gap: where he was meanwhile is unknown, so the line is dotted.
    ...day.segments.slice(1).flatMap((segment, no): MapLine[] => {
      const [from, to] = [day.segments[no]?.at(-1), segment[0]]
      return from && to ? [{ id: `gap${no}`, path: [placeOf(from), placeOf(to)], color: colors.text2, width: 1.5, dash: [2, 8] }] : []
    }),
  ]
  const points: MapPoint[] = [
    ...day.jumps.map((one, no): MapPoint => ({ id: `jump${no}`, at: placeOf(one), state: 'warning', label: '异常位置', size: 5 })),
    ...(here ? [{ id: 'here', at: placeOf(here), state: 'person' as const, label: `${day.name} ${minuteOfDay(here.time)}`, size: 8 }] : []),
  ]
  const areas = day.fences.flatMap((fence) =>
    fence.rings.map((ring, no) => ({
      id: `${fence.projectCode}${no}`,
      ring,
      label: no === 0 ? fence.name : undefined,
      kind: 'fence' as const,
    })),
  )
  const play = () => {
    if (!playing && at >= last) setAt(first)
    setPlaying(!playing)
  }
  return (
    <div className="track-stack">
      <div className="zg-card track-map zg-grow">
        <SiteMap
          label={`${day.name} 的轨迹，${day.segments.length} 段，虚线为中断`}
          height="100%"
          lines={lines}
          points={points}
          areas={areas}
        />
      </div>
      {all.length > 0 && (
        <div className="zg-card track-play">
          <Button
            type="primary"
            shape="circle"
            icon={playing ? <PauseOutlined /> : <CaretRightOutlined />}
            aria-label={playing ? '暂停' : '播放'}
            onClick={play}
          />
          <span className="zg-num">{minuteOfDay(at)}</span>
          <Slider
            min={first}
            max={last}
            step={1_000}
            value={at}
            onChange={setAt}
            tooltip={{ formatter: (value) => minuteOfDay(value ?? 0) }}
            ariaLabelForHandle="时间"
          />
          <Segmented options={speeds} value={speed} onChange={setSpeed} />
        </div>
      )}
    </div>
  )
}
