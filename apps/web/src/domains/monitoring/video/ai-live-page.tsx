import { graveAiTypes, leastConfidence } from '@zhugong/contract/monitoring/video/ai-codes'
import { aiVerdicts, findAiEvents } from '@zhugong/contract/monitoring/video/ai-events'
import { listCameraAi } from '@zhugong/contract/monitoring/video/camera-ai'
import { Button } from 'antd'
import { useEffect, useMemo, useRef, useState } from 'react'
import { Link } from 'react-router'
import { useCall } from '#kit/call.ts'
import { Card, DetailSkeleton, Empty, ErrorPanel, Panel } from '#kit/feedback.tsx'
import { day, time, timeOfDay } from '#kit/format.ts'
import { PageShell } from '#kit/list-shell.tsx'
import { hrefOf, useGo, usePage, usePageQuery } from '#kit/page.tsx'
import { soundAlarm } from '../alarm-sound.ts'
import { columnsOption } from '../analysis-charts.ts'
import { ChartCard } from '../family-analysis.tsx'
import { useFamilyLive } from '../family-live.ts'
import '../family.css'
import '../monitoring.css'
import { OneSite } from '../one-site.tsx'
import { AiVerdict } from './ai-verdict.tsx'
import { AiPicture, confidenceWords, pictureName, ReviewTag, typeName } from './ai-words.tsx'
import { cameraWords, stateOf } from './camera.ts'
import { CameraAiDrawer, ZoneShapes } from './camera-ai-drawer.tsx'
import { hoursOf } from './camera-rules.ts'
import { useVisible } from './stream.ts'
import './video.css'
import { VideoTile } from './video-tile.tsx'

/** How long boxes stay over the live video. */
const boxMs = 15_000
/** More cameras with recognition than any site has. */
const mostCameras = 1000
const hours = Array.from({ length: 24 }, (_, hour) => hour)

/** What does AI recognise now, and is the camera set right? */
export default function AiLivePage() {
  return (
    <OneSite family="videoAi" unit="摄像机">
      {(projectCode) => <OfProject key={projectCode} projectCode={projectCode} />}
    </OneSite>
  )
}

function OfProject({ projectCode }: { projectCode: string }) {
  const live = useFamilyLive(projectCode, 'videoAi')
  const query = usePageQuery()
  const page = usePage()
  const go = useGo()
  const visible = useVisible()
  const [since] = useState(() => `${day(Date.now())} 00:00:00`)
  const recent = useCall(
    findAiEvents,
    { query: { projectCode, sort: '-time', size: 30 } },
    { quiet: true, keepPrevious: true, everyMs: page.active ? 10_000 : undefined },
  )
  const today = useCall(
    findAiEvents,
    { query: { projectCode, startTime: since, sort: '-time', size: 1000 } },
    { quiet: true, keepPrevious: true, everyMs: page.active ? 60_000 : undefined },
  )
  const settings = useCall(listCameraAi, { query: { projectCode, size: mostCameras } }, { quiet: true, keepPrevious: true })
  const [setting, setSetting] = useState(false)
  const [selected, setSelected] = useState<typeof rows>()
  const rows = recent.data?.list ?? []
  // The list is frozen while the pointer is over it; urgent events still come first.
  const stream = useMemo(
    () => [...(selected ?? rows)].sort((a, b) => Number(isUrgent(b)) - Number(isUrgent(a)) || b.time - a.time),
    [selected, rows],
  )
  const last = useRef<string | undefined>(undefined)
  const newest = rows.find((one) => graveAiTypes.includes(one.type))?.id
  useEffect(() => {
    if (last.current !== undefined && newest && newest !== last.current) soundAlarm(1)
    last.current = newest ?? ''
  }, [newest])
  const counts = useMemo(() => {
    const found = new Map<string, number>()
    for (const one of rows) found.set(one.deviceId, (found.get(one.deviceId) ?? 0) + 1)
    return found
  }, [rows])
  const wanted = query.get('deviceId')
  const camera =
    live.devices.find((one) => one.id === wanted) ?? [...live.devices].sort((a, b) => (counts.get(b.id) ?? 0) - (counts.get(a.id) ?? 0))[0]
  if (live.loading || recent.isPending)
    return (
      <PageShell fill>
        <DetailSkeleton />
      </PageShell>
    )
  if (live.error || !camera)
    return (
      <PageShell>
        <Card>
          {live.error ? (
            <ErrorPanel error={live.error} retry={live.retry} />
          ) : (
            <Empty text="本项目还没有 AI 摄像机" hint="登记摄像机后，这里显示识别结果" />
          )}
        </Card>
      </PageShell>
    )
  const own = rows.filter((one) => one.deviceId === camera.id)
  const boxed = own.find((one) => Date.now() - one.time < boxMs)
  const rules = settings.data?.list.find((one) => one.deviceId === camera.id)
  const all = today.data?.list ?? []
  const types = [...new Set(all.map((one) => one.type))]
  return (
    <PageShell
      fill
      remark={
        <span className="mon-said">
          今日识别 {all.length} 条，未复核 {all.filter((one) => one.review === aiVerdicts.open).length} 条；置信度低于{' '}
          {leastConfidence * 100} % 的只留存、不告警
        </span>
      }
    >
      <div className="mon vid-ai">
        <Panel title={`AI 摄像机 ${live.devices.length} 路`}>
          <div className="mon-list">
            {live.devices.map((one) => {
              const state = stateOf(one)
              return (
                <button
                  key={one.id}
                  type="button"
                  className="zg-bare vid-camera"
                  aria-pressed={one.id === camera.id}
                  onClick={() => go(page.path, { deviceId: one.id }, { replace: true })}
                >
                  <i className="dot" data-on={state === 'online'} /> {one.name}
                  <span>{state === 'online' ? `${counts.get(one.id) ?? 0} 条` : cameraWords[state]}</span>
                </button>
              )
            })}
          </div>
        </Panel>
        <div className="vid-middle">
          <VideoTile
            key={camera.id}
            deviceId={camera.id}
            name={camera.name}
            place={camera.installPlace ?? undefined}
            mode={visible ? 'live' : 'rest'}
            main
            focused
          >
            {rules && rules.zones.length > 0 && (
              <svg
                className="vid-boxes"
                viewBox="0 0 100 100"
                preserveAspectRatio="none"
                role="img"
                aria-label={rules.zones.map((one) => `${one.name} ${hoursOf(one)}`).join('，')}
              >
                <ZoneShapes zones={rules.zones} />
              </svg>
            )}
            {boxed && (
              <svg className="vid-boxes" viewBox="0 0 100 100" preserveAspectRatio="none" role="img" aria-label={typeName(boxed.type)}>
                {boxed.boxes.map(([x = 0, y = 0, w = 0, h = 0]) => (
                  <rect key={`${x} ${y}`} x={x * 100} y={y * 100} width={w * 100} height={h * 100} />
                ))}
              </svg>
            )}
          </VideoTile>
          {rules && (
            <div className="vid-foot">
              <strong>阈值与区域</strong>
              <Button size="small" onClick={() => setSetting(true)}>
                {rules.editable ? '设置' : '查看'}
              </Button>
              <span>
                {rules.thresholds.length > 0
                  ? rules.thresholds.map((one) => `${typeName(one.type)} ${one.least}`).join('，')
                  : '阈值均为默认'}
                {rules.zones.length > 0 ? `；入侵区域 ${rules.zones.length} 个` : '；未划入侵区域'}
              </span>
            </div>
          )}
          <ChartCard
            wide
            title="今日识别"
            definition="按小时与类型，含未复核与误报"
            label={`今日识别 ${all.length} 条`}
            height={150}
            empty={all.length === 0 ? '今天还没有识别' : undefined}
            option={columnsOption({
              names: hours.map((hour) => `${hour} 时`),
              unit: '条',
              series: types.map((type) => ({
                name: typeName(type),
                stack: 'type',
                values: hours.map(
                  (hour) => all.filter((one) => one.type === type && Number(timeOfDay(one.time).slice(0, 2)) === hour).length,
                ),
              })),
            })}
            table={{
              head: ['类型', '今日', '属实', '误报', '未复核'],
              rows: types.map((type) => {
                const of = all.filter((one) => one.type === type)
                const count = (review: string) => of.filter((one) => one.review === review).length
                return [typeName(type), of.length, count('1'), count('2'), count('0')]
              }),
            }}
          />
        </div>
        <section
          className="zg-panel zg-dark"
          aria-label="识别流"
          onMouseEnter={() => setSelected(rows)}
          onMouseLeave={() => setSelected(undefined)}
        >
          <div className="zg-panel-head">
            <h2>识别流</h2>
            <span className="remark">{selected ? '指针停留时不刷新' : '新的在上'}</span>
          </div>
          <ul className="vid-stream">
            {stream.map((one) => (
              <li key={one.id} data-urgent={isUrgent(one)}>
                <Link to={hrefOf('/AI/detail', { id: one.id })} aria-label={pictureName(one)}>
                  <AiPicture event={one} />
                </Link>
                <div>
                  <strong>{typeName(one.type)}</strong> {confidenceWords(one.confidence)}
                  <span className="note" title={time(one.time)}>
                    {one.deviceName}　{time(one.time).slice(5, 16)}
                  </span>
                  {one.review === aiVerdicts.open ? (
                    <AiVerdict event={one} onDone={() => void recent.refetch()} />
                  ) : (
                    <ReviewTag review={one.review} />
                  )}
                </div>
              </li>
            ))}
            {stream.length === 0 && <li>近 30 天没有识别</li>}
          </ul>
        </section>
      </div>
      {setting && rules && <CameraAiDrawer key={rules.deviceId} camera={rules} onClose={() => setSetting(false)} />}
    </PageShell>
  )
}

const isUrgent = (one: { type: string; review: string }) => graveAiTypes.includes(one.type) && one.review === aiVerdicts.open
