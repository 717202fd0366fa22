import { EyeOutlined, PhoneOutlined, PlayCircleOutlined } from '@ant-design/icons'
import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { helmetVideos, mediaTriggers } from '@zhugong/contract/monitoring/helmet/helmet-media'
import { onGround, whereabouts } from '@zhugong/contract/monitoring/site'
import { sendCommand } from '@zhugong/contract/telemetry/wire-endpoints'
import { Button } from 'antd'
import { useState } from 'react'
import { askReason } from '#kit/ask.ts'
import { type CallState, useAct, useCall } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { Card, Empty, ErrorPanel, Forbidden, Known, Notice, Panel, Tag } from '#kit/feedback.tsx'
import { fileSize, span, time } from '#kit/format.ts'
import { PageShell } from '#kit/list-shell.tsx'
import { Pager } from '#kit/pager.tsx'
import { useSite } from '../family-live.ts'
import '../family.css'
import { ScopeBar, useFamilyScope } from '../family-scope.tsx'
import '../monitoring.css'
import type { Span } from '../replay.ts'
import { useVisible } from '../video/stream.ts'
import '../video/video.css'
import { VideoTile } from '../video/video-tile.tsx'
import './helmet.css'
import { HelmetCall, useMayCall } from './helmet-call.tsx'
import { HelmetPlan } from './helmet-plan.tsx'
import { wearingWord } from './helmet-state.ts'

type Videos = OutputFor<typeof helmetVideos>
type Camera = Videos['cameras'][number]
type Film = Videos['list'][number]

const family = 'smartHelmet'
/** Most live pictures of helmets at once. */
const mostAtOnce = 4
/** Modem signal (of 31) below which the connection is too weak for video. */
const weakSignal = 10
const everyMs = 15_000
/** A sentence expires after this many seconds. */
const heardWithinSeconds = 20
const reportedWords = '管理人员正在查看您的帽载画面'
const bars = [3, 10, 16, 22] as const

const code = 'helmet.media'

/** Live view of helmet cameras, or their recordings. */
export default function HelmetVideoPage() {
  const may = useCan(code)
  if (!may)
    return (
      <PageShell>
        <Card>
          <Forbidden page="安全帽视频" code={code} />
        </Card>
      </PageShell>
    )
  return <Watching />
}

/** Cameras viewed and the reason: every view is logged and visible to the wearer. */
interface Look {
  deviceId: string
  name: string
  reason: string
  span?: Span
}

function Watching() {
  const scope = useFamilyScope({ family, usual: '30' })
  const [page, setPage] = useState(1)
  const [size, setSize] = useState(20)
  const [looks, setLooks] = useState<readonly Look[]>([])
  const [film, setFilm] = useState<Look>()
  const [calling, setCalling] = useState<Camera>()
  const [unreported, setUnreported] = useState<string>()
  const visible = useVisible()
  const mayTell = [useMayCall(), useCan('device-admin.command')].every(Boolean)
  const tell = useAct(sendCommand, { success: false })
  const videos = useCall(helmetVideos, { query: { ...scope.query, page, size } }, { quiet: true, keepPrevious: true, everyMs })
  const cameras = videos.data?.cameras ?? []
  const rows = videos.data?.list ?? []

  const watch = async (camera: Camera) => {
    const reason = await askReason(`查看 ${camera.name} 的实时画面`, '事由（会留痕，本人可见）')
    if (!reason) return
    setFilm(undefined)
    setLooks((now) =>
      [...now.filter((one) => one.deviceId !== camera.deviceId), { deviceId: camera.deviceId, name: camera.name, reason }].slice(
        -mostAtOnce,
      ),
    )
    if (!mayTell) return setUnreported(camera.name)
    const answer = await tell.run({
      params: { id: camera.deviceId },
      body: { cmd: 'helmet.text', params: { text: reportedWords }, expireSeconds: heardWithinSeconds },
    })
    setUnreported(answer ? undefined : camera.name)
  }
  const play = async (row: Film) => {
    const name = row.workerName ?? row.deviceName
    const reason = await askReason(`回放 ${name} 的录像`, '事由（会留痕，本人可见）')
    if (reason) setFilm({ deviceId: row.deviceId, name, reason, span: { from: row.startTime, to: row.endTime } })
  }

  return (
    <PageShell remark={<span className="mon-said">未佩戴时没有实时画面；每次查看须填事由，佩戴人会听到提示</span>}>
      <div className="helmet-watch">
        <div className="mon helmet-eyes">
          <CameraList cameras={cameras} requested={videos} watched={looks} onWatch={(one) => void watch(one)} onCall={setCalling} />
          <Panel
            title={film ? `录像　${film.name}` : `实时画面 ${looks.length} / ${mostAtOnce}`}
            actions={
              film && (
                <Button size="small" onClick={() => setFilm(undefined)}>
                  回到实时
                </Button>
              )
            }
          >
            {unreported && <Notice tone="warning">没有能够语音告知 {unreported}，请用对讲说明</Notice>}
            <Screen
              looks={film ? [film] : looks}
              cameras={cameras}
              visible={visible}
              onClose={(id) => setLooks(looks.filter((one) => one.deviceId !== id))}
            />
          </Panel>
          <Whereabouts projectCode={scope.projectCode} cameras={cameras} watched={looks} />
        </div>
        <Card
          title="录像"
          flush
          remark={videos.data && `${videos.data.total} 段`}
          actions={
            <span className="helmet-scope">
              <ScopeBar scope={scope} periods={['1', '7', '30']} unit="安全帽" />
            </span>
          }
        >
          {videos.error && !videos.data ? (
            <ErrorPanel error={videos.error} retry={videos.refetch} />
          ) : (
            <Films rows={rows} requested={videos} onPlay={(row) => void play(row)} />
          )}
          <div className="zg-table-footer">
            <Pager
              unit="段"
              list={{
                page,
                size,
                total: videos.data?.total ?? 0,
                loading: videos.isPending,
                setPage: (next) => setPage(next),
                setSize,
              }}
            />
          </div>
        </Card>
      </div>
      {calling && <HelmetCall people={[{ deviceId: calling.deviceId, name: calling.name }]} onClose={() => setCalling(undefined)} />}
    </PageShell>
  )
}

interface CameraListProps {
  cameras: readonly Camera[]
  requested: CallState
  watched: readonly Look[]
  onWatch: (camera: Camera) => void
  onCall: (camera: Camera) => void
}

function CameraList({ cameras, requested, watched, onWatch, onCall }: CameraListProps) {
  const mayCall = useMayCall()
  return (
    <Panel
      title={requested.data === undefined ? '带摄像头的安全帽' : `带摄像头的安全帽 ${cameras.length} 顶`}
      actions={<span className="mon-legend">在线 {requested.data === undefined ? '--' : cameras.filter((one) => one.online).length}</span>}
    >
      {cameras.length === 0 ? (
        <Known of={requested}>
          <Empty small text="没有带摄像头的安全帽" hint="在设备档案中登记摄像头后显示" />
        </Known>
      ) : (
        <ul className="helmet-cameras">
          {cameras.map((one) => (
            <li key={one.deviceId} data-watched={watched.some((look) => look.deviceId === one.deviceId)}>
              <strong>{one.name}</strong>
              <Signal value={one.online ? one.signal : 0} />
              <span>{[one.teamName, one.batteryPercent === null ? '' : `电量 ${one.batteryPercent} %`].filter(Boolean).join(' · ')}</span>
              <span>
                {!one.online ? '离线' : one.wearing === false ? wearingWord(one) : (one.signal ?? 31) < weakSignal ? '信号弱' : '佩戴中'}
              </span>
              <span className="acts">
                <Button size="small" icon={<EyeOutlined />} disabled={!one.online || one.wearing === false} onClick={() => onWatch(one)}>
                  实时
                </Button>
                {mayCall && (
                  <Button size="small" icon={<PhoneOutlined />} disabled={!one.online} onClick={() => onCall(one)}>
                    对讲
                  </Button>
                )}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

function Signal({ value }: { value: number | null }) {
  return (
    <span
      className="helmet-signal"
      role="img"
      aria-label={value === null ? '信号未知' : `信号 ${bars.filter((least) => value >= least).length} 格，共 4 格`}
    >
      {bars.map((least) => (
        <i key={least} data-on={value !== null && value >= least} />
      ))}
    </span>
  )
}

interface ScreenProps {
  looks: readonly Look[]
  cameras: readonly Camera[]
  visible: boolean
  onClose: (deviceId: string) => void
}

function Screen({ looks, cameras, visible, onClose }: ScreenProps) {
  if (looks.length === 0) return <Empty small text="还没有打开画面" hint={`在左边选择安全帽，最多同时看 ${mostAtOnce} 路；录像在下面`} />
  return (
    <div className="helmet-screens" data-count={looks.length}>
      {looks.map((look) => {
        const camera = cameras.find((one) => one.deviceId === look.deviceId)
        const isWeak = !look.span && (camera?.signal ?? 31) < weakSignal
        return (
          <VideoTile
            key={`${look.deviceId}${look.span?.from ?? ''}${look.reason}`}
            deviceId={look.deviceId}
            name={look.name}
            place={look.span ? time(look.span.from) : (camera?.teamName ?? undefined)}
            mode={!visible ? 'rest' : isWeak ? 'snapshot' : 'live'}
            main={looks.length === 1}
            reason={look.reason}
            span={look.span}
            {...(look.span ? {} : { onClose: () => onClose(look.deviceId) })}
          >
            {isWeak && <span className="vid-banner">信号弱，改为抓图</span>}
          </VideoTile>
        )
      })}
    </div>
  )
}

/** Positions of the viewed helmets. */
function Whereabouts({ projectCode, cameras, watched }: { projectCode: string; cameras: readonly Camera[]; watched: readonly Look[] }) {
  const { site } = useSite(projectCode)
  return (
    <Panel title="位置">
      {!site || projectCode === '*' ? (
        <Empty small text="选择一个项目后显示位置" />
      ) : (
        <HelmetPlan
          site={site}
          label={`${cameras.length} 顶带摄像头的安全帽的位置`}
          people={cameras.flatMap((one) => {
            if (one.lng === null || one.lat === null) return []
            const at = onGround(site.origin, [one.lng, one.lat])
            return [
              {
                id: one.deviceId,
                label: one.name,
                at,
                tone: 'fine' as const,
                past: !one.online,
                named: watched.some((look) => look.deviceId === one.deviceId),
                state: whereabouts(site, at).words,
              },
            ]
          })}
        />
      )}
    </Panel>
  )
}

function Films({ rows, requested, onPlay }: { rows: readonly Film[]; requested: CallState; onPlay: (row: Film) => void }) {
  if (rows.length === 0)
    return (
      <Known of={requested}>
        <Empty small text="这段时间没有录像" hint="佩戴人录像或报警触发录像后显示" />
      </Known>
    )
  return (
    <table className="fam-table">
      <thead>
        <tr>
          {['开始', '时长', '大小', '触发', '佩戴人', '班组', '操作'].map((one, i) => (
            <th key={one} scope="col" className={i > 2 ? 'word' : undefined}>
              {one}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.key}>
            <td>{time(row.startTime)}</td>
            <td>{span(row.endTime - row.startTime)}</td>
            <td>{fileSize(row.sizeBytes)}</td>
            <td className="word">
              {row.trigger === 'manual' ? (
                mediaTriggers.manual
              ) : (
                <Tag tone={row.trigger === 'alarm' ? 'danger' : 'running'}>{mediaTriggers[row.trigger]}</Tag>
              )}
            </td>
            <td className="word">{row.workerName ?? row.deviceName}</td>
            <td className="word">{row.teamName ?? '--'}</td>
            <td className="word">
              <Button size="small" icon={<PlayCircleOutlined />} onClick={() => onPlay(row)}>
                回放
              </Button>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
