import { findAlarms } from '@zhugong/contract/alarms/lists'
import { type DeviceRow, listDevices } from '@zhugong/contract/equipment/endpoints'
import { aiVerdicts, findAiEvents } from '@zhugong/contract/monitoring/video/ai-events'
import { placeOf, places } from '@zhugong/contract/monitoring/video/camera-places'
import { listMarks } from '@zhugong/contract/monitoring/video/video-marks'
import { Button } from 'antd'
import { useRef, useState } from 'react'
import { Link } from 'react-router'
import { AlarmDrawer } from '#domains/alarms/public.tsx'
import { useCall } from '#kit/call.ts'
import { Can, useCan } from '#kit/can.tsx'
import { Card, DetailSkeleton, Empty, ErrorPanel, FigureStrip, RiskBadge, Tag } from '#kit/feedback.tsx'
import { age, measure, time } from '#kit/format.ts'
import { PageShell } from '#kit/list-shell.tsx'
import { useProjectCode } from '#kit/me.ts'
import { PageDrawer } from '#kit/overlay.tsx'
import { hrefOf, useGo, usePage, usePageQuery } from '#kit/page.tsx'
import { usePref } from '#kit/pref-state.ts'
import '../family.css'
import '../monitoring.css'
import { AiLine } from './ai-words.tsx'
import { modesOf } from './budget.ts'
import { type CameraState, cameraWords, stateOf, storageLimit, storageOf } from './camera.ts'
import { MarksDrawer } from './marks.tsx'
import { PatrolLog } from './patrols.tsx'
import { useBudget, useVisible } from './stream.ts'
import './video.css'
import { VideoTile } from './video-tile.tsx'
import { useLooksToday, ViewLog } from './views.tsx'

const shownTiles = 4
const healthShown = 60
const tones = { online: 'fine', offline: 'danger', covered: 'warning', noStream: 'warning' } as const

interface Chosen {
  camera: DeviceRow
  /** Reason why the page chose this camera, shown beside it. */
  why: string
}
interface AlarmWord {
  deviceId: string
  deviceName: string
  projectCode: string
  alarmLabel: string
  level: number
}

/** Pictures to look at first: pinned, then with active alarms, then one of each key place. @public */
export function choose(
  cameras: readonly DeviceRow[],
  alarms: readonly AlarmWord[],
  pinned: readonly string[],
  most = shownTiles,
): Chosen[] {
  const found: Chosen[] = []
  const put = (camera: DeviceRow | undefined, why: string) => {
    if (camera && found.length < most && !found.some((one) => one.camera.id === camera.id)) found.push({ camera, why })
  }
  for (const id of pinned)
    put(
      cameras.find((one) => one.id === id),
      '已固定',
    )
  const able = cameras.filter((one) => stateOf(one) === 'online')
  for (const alarm of [...alarms].sort((a, b) => a.level - b.level)) {
    const own = able.find((one) => one.id === alarm.deviceId)
    if (own) put(own, `${alarm.alarmLabel}未恢复`)
    // A crane's own camera is named after the crane.
    else
      put(
        able.find((one) => one.projectCode === alarm.projectCode && one.name.startsWith(alarm.deviceName)),
        `因${alarm.deviceName}${alarm.alarmLabel}`,
      )
  }
  for (const place of [places[1], places[0], places[3], places[2]])
    put(
      able.find((one) => placeOf(one.name) === place),
      `${place}重点画面`,
    )
  for (const one of able) put(one, '在线画面')
  return found
}

/** Are all cameras working, and where should I look? */
export default function MonitorIndexPage() {
  const projectCode = useProjectCode()
  const page = usePage()
  const mayPlay = useCan('video.play')
  const box = useRef<HTMLDivElement>(null)
  const budget = useBudget(box)
  const visible = useVisible()
  const [alarm, setAlarm] = useState<string>()
  const [marks, setMarks] = useState(false)
  const go = useGo()
  const patrols = usePageQuery().get('patrols') !== null
  const views = usePageQuery().get('views') !== null
  const looks = useLooksToday(projectCode)
  const [pinned, setPinned] = usePref<readonly string[]>('video-pins', [])
  const often = page.active ? { everyMs: 30_000 } : {}
  const devices = useCall(
    listDevices,
    { query: { projectCode, family: 'videoAi', with: 'latest', status: '1', size: 1000 } },
    { quiet: true, ...often },
  )
  const open = useCall(
    findAlarms,
    { query: { projectCode, active: true, level: '1,2', simulated: false, size: 20, sort: '-startTime' } },
    { quiet: true, ...often },
  )
  const hits = useCall(
    findAiEvents,
    { query: { projectCode, review: aiVerdicts.open, sort: '-time', size: 12 } },
    { quiet: true, ...often },
  )
  const own = useCall(
    findAlarms,
    { query: { projectCode, family: 'videoAi', active: true, size: 20, sort: '-startTime' } },
    { quiet: true, ...often },
  )
  if (devices.error && !devices.data)
    return (
      <PageShell>
        <Card>
          <ErrorPanel error={devices.error} retry={devices.refetch} />
        </Card>
      </PageShell>
    )
  if (!devices.data)
    return (
      <PageShell>
        <DetailSkeleton />
      </PageShell>
    )
  const cameras = devices.data.list
  const count = (...states: CameraState[]) => cameras.filter((one) => states.includes(stateOf(one))).length
  const full = cameras.filter((one) => (storageOf(one) ?? 0) >= storageLimit)
  const chosen = choose(cameras, open.data?.list ?? [], pinned)
  const modes = modesOf(
    chosen.map((one) => ({ id: one.camera.id, playable: stateOf(one.camera) === 'online' })),
    undefined,
    budget,
    visible,
  )
  const order: Readonly<Record<CameraState, number>> = { offline: 0, covered: 1, noStream: 2, online: 3 }
  const health = [...cameras]
    .sort((a, b) => order[stateOf(a)] - order[stateOf(b)] || (storageOf(b) ?? 0) - (storageOf(a) ?? 0))
    .slice(0, healthShown)
  return (
    <PageShell
      remark="接班先看这里：画面由未恢复的告警与重点部位选出，可固定自己关心的"
      actions={
        <>
          <Button onClick={() => go(page.path, { patrols: '1' }, { replace: true })}>巡查记录</Button>
          <Button onClick={() => go(page.path, { views: '1' }, { replace: true })}>查看记录{looks ? ` ${looks.views}` : ''}</Button>
          <Can call={listMarks}>
            <Button onClick={() => setMarks(true)}>抓拍与书签</Button>
          </Can>
        </>
      }
    >
      <div className="fam-analysis" ref={box}>
        <FigureStrip
          items={[
            { label: '摄像机', value: cameras.length, unit: '路' },
            {
              label: '在线',
              value: count('online', 'covered', 'noStream'),
              unit: '路',
              remark: `离线 ${count('offline')}`,
              tone: count('offline') > 0 ? 'warning' : undefined,
            },
            {
              label: '遮挡、黑屏、无码流',
              value: count('covered', 'noStream'),
              unit: '路',
              tone: count('covered', 'noStream') > 0 ? 'danger' : undefined,
            },
            {
              label: '存储不足',
              value: full.length,
              unit: '路',
              remark: `占用 ${storageLimit} % 以上`,
              tone: full.length > 0 ? 'warning' : undefined,
            },
          ]}
        />
        <div className="vid-index">
          <div className="vid-grid" data-size="4">
            {!mayPlay ? (
              <div className="vid-empty">没有“实时播放”的权限（video.play）</div>
            ) : chosen.length === 0 ? (
              <div className="vid-empty">没有可播放的画面</div>
            ) : (
              chosen.map(({ camera, why }) => (
                <div key={camera.id} className="vid-slot">
                  <VideoTile
                    deviceId={camera.id}
                    name={camera.name}
                    place={projectCode === '*' ? camera.projectName : (camera.installPlace ?? undefined)}
                    mode={modes.get(camera.id) ?? 'rest'}
                  >
                    <span className="vid-why">
                      {why}
                      <button
                        type="button"
                        className="zg-bare"
                        aria-pressed={pinned.includes(camera.id)}
                        onClick={() =>
                          setPinned(
                            pinned.includes(camera.id)
                              ? pinned.filter((id) => id !== camera.id)
                              : [...pinned, camera.id].slice(-shownTiles),
                          )
                        }
                      >
                        {pinned.includes(camera.id) ? '取消固定' : '固定'}
                      </button>
                    </span>
                  </VideoTile>
                </div>
              ))
            )}
          </div>
          <Card
            title="待查看"
            remark={`未复核识别 ${hits.data?.counts.open ?? '--'} 条`}
            actions={<Link to={hrefOf('/AI', { review: aiVerdicts.open })}>全部</Link>}
          >
            <ul className="vid-todo">
              {(own.data?.list ?? []).map((one) => (
                <li key={one.id}>
                  <button type="button" className="zg-bare zg-link" onClick={() => setAlarm(one.id)}>
                    <RiskBadge level={one.level} word={false} /> {one.deviceName} {one.alarmLabel}，{age(one.startTime)}
                  </button>
                </li>
              ))}
              {(hits.data?.list ?? []).map((one) => (
                <li key={one.id}>
                  <AiLine event={one} />
                </li>
              ))}
              {own.data?.list.length === 0 && hits.data?.list.length === 0 && <Empty small text="没有待查看的内容" />}
            </ul>
          </Card>
        </div>
        <Card title="摄像机状态" remark="有问题的排在前面" actions={<Link to="/VideoSurveillance">去视频墙</Link>}>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keys */}
          <div className="fam-scroll" tabIndex={0}>
            <table className="fam-table vid-health">
              <thead>
                <tr>
                  {['摄像机', '位置', '状态', '最后数据', '存储占用 %', '操作'].map((one, i) => (
                    <th key={one} scope="col" className={i < 3 || i === 5 ? 'word' : undefined}>
                      {one}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {health.map((one) => {
                  const state = stateOf(one)
                  const used = storageOf(one)
                  return (
                    <tr key={one.id}>
                      <td>
                        {projectCode === '*' && `${one.projectName} `}
                        {one.name}
                      </td>
                      <td className="word">{placeOf(one.name)}</td>
                      <td className="word">
                        <Tag tone={tones[state]}>{cameraWords[state]}</Tag>
                      </td>
                      <td title={time(one.lastTime)}>{one.lastTime === null ? '--' : age(one.lastTime)}</td>
                      <td className={(used ?? 0) >= storageLimit ? 'tone-warning' : ''}>{measure(used, 0)}</td>
                      <td className="word">
                        <Link to={hrefOf('/VideoPlayback', { deviceId: one.id })}>回放</Link>　
                        <Link to={hrefOf('/administrationDetails', { id: one.id })}>报修</Link>
                      </td>
                    </tr>
                  )
                })}
              </tbody>
            </table>
          </div>
        </Card>
      </div>
      {marks && <MarksDrawer projectCode={projectCode} onClose={() => setMarks(false)} />}
      {patrols && (
        <PageDrawer open size={1080} title="视频巡查记录" onClose={() => go(page.path, {}, { replace: true })}>
          <PatrolLog projectCode={projectCode} emptyHint="监督机构与企业巡查本项目的视频后，记录出现在这里" />
        </PageDrawer>
      )}
      {views && (
        <PageDrawer open size={1080} title="视频查看记录" onClose={() => go(page.path, {}, { replace: true })}>
          <ViewLog projectCode={projectCode} />
        </PageDrawer>
      )}
      <AlarmDrawer id={alarm} onClose={() => setAlarm(undefined)} />
    </PageShell>
  )
}
