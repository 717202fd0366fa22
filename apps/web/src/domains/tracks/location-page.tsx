import { getTrack, type Officer, oldMinutes } from '@zhugong/contract/tracks/calls'
import { Button, Input, Segmented } from 'antd'
import { useState } from 'react'
import { useCall } from '#kit/call.ts'
import { Empty, ErrorPanel, FigureStrip, Known, Notice, Tag, type Tone } from '#kit/feedback.tsx'
import { distanceM } from '#kit/geo.ts'
import { PageShell } from '#kit/list-shell.tsx'
import { useNow } from '#kit/live.ts'
import { SiteMap } from '#kit/map.tsx'
import type { MapPoint } from '#kit/map-props.ts'
import { hrefOf, useGo, usePage } from '#kit/page.tsx'
import './tracks.css'

const everyMs = 30_000
const shown = [
  { value: '', label: '全部' },
  { value: 'duty', label: '执勤' },
  { value: 'off', label: '离线' },
]
const words: Readonly<Record<Officer['state'], { label: string; tone: Tone }>> = {
  duty: { label: '执勤', tone: 'fine' },
  silent: { label: '无位置', tone: 'warning' },
  off: { label: '离线', tone: 'neutral' },
}
/** Officers offered for a site. */
const mostNear = 3
const sitePrefix = 'site:'

/** Who is on duty where, and who is nearest to this site? */
export default function LocationPage() {
  const { active } = usePage()
  const go = useGo()
  const read = useCall(getTrack, { query: {} }, { quiet: true, keepPrevious: true, everyMs: active ? everyMs : undefined })
  const [state, setState] = useState('')
  const [name, setName] = useState('')
  const [siteCode, setSiteCode] = useState<string>()
  const [chosen, setChosen] = useState<string>()
  const now = useNow(30_000)
  const { officers = [], sites = [], counts } = read.data ?? {}
  const site = sites.find((one) => one.projectCode === siteCode)
  const far = (one: Officer) => (site && isPlaced(one) ? distanceM([site.lng, site.lat], [one.lng, one.lat]) : Number.POSITIVE_INFINITY)
  const listed = officers
    .filter((one) => (state === '' || (state === 'off' ? one.state === 'off' : one.state !== 'off')) && one.name.includes(name))
    .sort((a, b) => (site ? far(a) - far(b) : 0))
  const isOld = (one: Officer) => one.time === null || now - one.time > oldMinutes * 60_000
  const points: MapPoint[] = [
    ...sites.map(
      (one): MapPoint => ({
        id: sitePrefix + one.projectCode,
        at: [one.lng, one.lat],
        state: one.checks > 0 ? 'normal' : 'maintenance',
        label: one.checks > 0 ? `${one.name} 检查 ${one.checks}` : one.name,
        size: one.projectCode === siteCode ? 9 : 5,
      }),
    ),
    ...listed.filter(isPlaced).map(
      (one): MapPoint => ({
        id: one.userId,
        at: [one.lng, one.lat],
        state: isOld(one) ? 'offline' : 'person',
        label: `${one.name} ${ageOf(one, now)}`,
        size: 8,
      }),
    ),
  ]
  const pick = (id: string) => (id.startsWith(sitePrefix) ? setSiteCode(id.slice(sitePrefix.length)) : setChosen(id))
  const near = site ? listed.filter((one) => one.state === 'duty' && isPlaced(one)).slice(0, mostNear) : []
  return (
    <PageShell fill remark="只显示本机构执勤时段和检查中的位置；每次查看留痕，监督人员可见">
      <div className="track-stack">
        <FigureStrip
          loading={!counts}
          items={[
            { label: '在岗', value: counts?.duty, unit: '人' },
            { label: '在现场', value: counts?.onSite, unit: '人' },
            { label: '今日已检', value: counts?.checked, unit: '次' },
            { label: '超 30 分钟无位置', value: counts?.silent, unit: '人', tone: counts?.silent ? 'warning' : undefined },
          ]}
        />
        {read.error && !read.data ? (
          <ErrorPanel error={read.error} retry={read.refetch} />
        ) : (
          <div className="track-stage">
            <div className="track-left">
              <Segmented options={shown} value={state} onChange={setState} />
              <Input.Search
                allowClear
                placeholder="姓名"
                aria-label="姓名"
                onSearch={setName}
                onChange={(event) => setName(event.target.value)}
              />
              {site && (
                <Notice
                  tone="info"
                  actions={
                    <Button size="small" onClick={() => setSiteCode(undefined)}>
                      取消
                    </Button>
                  }
                >
                  找最近：{site.name}
                  {near.length === 0 ? '，附近没有执勤人员' : `，最近 ${near[0]?.name ?? ''} ${kilometres(far(near[0] as Officer))}`}
                </Notice>
              )}
              <Known of={read}>
                {listed.map((one) => (
                  <OfficerRow
                    key={one.userId}
                    officer={one}
                    now={now}
                    distance={site && isPlaced(one) ? kilometres(far(one)) : undefined}
                    chosen={one.userId === chosen}
                    onChoose={() => setChosen(one.userId)}
                    onTrack={() => go('/supervisionTrack', { userId: one.userId })}
                  />
                ))}
                {listed.length === 0 && <Empty text="没有执勤人员" hint="监督人员在页面顶部开启定位后显示" />}
              </Known>
            </div>
            <div className="zg-card track-map">
              <SiteMap
                label={`监督人员 ${listed.length} 人，工地 ${sites.length} 个；点工地找最近`}
                height="100%"
                selected={siteCode ? sitePrefix + siteCode : chosen}
                points={points}
                onPoint={pick}
              />
            </div>
          </div>
        )}
      </div>
    </PageShell>
  )
}

const isPlaced = (one: Officer): one is Officer & { lng: number; lat: number } => one.lng !== null && one.lat !== null
const kilometres = (metres: number) => (metres < 1_000 ? `${Math.round(metres)} m` : `${(metres / 1_000).toFixed(1)} km`)
const ageOf = ({ time }: Officer, now: number) => {
  if (time === null) return '无位置'
  const minutes = Math.max(0, Math.round((now - time) / 60_000))
  return minutes < 1 ? '刚刚' : `${minutes} 分钟前`
}

interface RowProps {
  officer: Officer
  now: number
  distance: string | undefined
  chosen: boolean
  onChoose: () => void
  onTrack: () => void
}

function OfficerRow({ officer, now, distance, chosen, onChoose, onTrack }: RowProps) {
  const { label, tone } = words[officer.state]
  return (
    <div className={`track-row ${chosen ? 'chosen' : ''}`}>
      <header>
        <button type="button" className="zg-bare" onClick={onChoose}>
          <b>{officer.name}</b>
        </button>
        <Tag tone={tone}>{label}</Tag>
      </header>
      <p>
        {officer.projectName ?? (officer.state === 'off' ? '未开启定位' : '途中')}
        {officer.stayMinutes !== null && <span className="zg-2">，已停留 {officer.stayMinutes} 分钟</span>}
      </p>
      <p className="zg-2">
        {ageOf(officer, now)}
        {distance && `，距 ${distance}`}，今日检查 {officer.checked} 次
      </p>
      <Button
        size="small"
        href={hrefOf('/supervisionTrack', { userId: officer.userId })}
        onClick={(event) => {
          event.preventDefault()
          onTrack()
        }}
      >
        轨迹
      </Button>
    </div>
  )
}
