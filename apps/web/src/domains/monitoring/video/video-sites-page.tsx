import { type DeviceRow, listDevices } from '@zhugong/contract/equipment/endpoints'
import { findAiEvents } from '@zhugong/contract/monitoring/ai-events'
import { Button, Segmented } from 'antd'
import { useMemo, useRef, useState } from 'react'
import { useCall } from '#kit/call.ts'
import { Card, DetailSkeleton, Empty, ErrorPanel, FigureStrip, Tag } from '#kit/feedback.tsx'
import { age, day } from '#kit/format.ts'
import { showFailure } from '#kit/http.ts'
import { Choice } from '#kit/inputs.tsx'
import { PageShell } from '#kit/list-shell.tsx'
import { switchScope, useProjectCode } from '#kit/me.ts'
import { useGo, usePage, usePageQuery } from '#kit/page.tsx'
import '../family.css'
import '../monitoring.css'
import { keySpots, placeOf, stateOf } from './camera.ts'
import { SnapshotButton } from './marks.tsx'
import { MediaSettings } from './media-settings.tsx'
import { PatrolLog, PatrolSteps } from './patrols.tsx'
import { useVisible } from './stream.ts'
import './video.css'
import { VideoTile } from './video-tile.tsx'

/** A site with fewer of its cameras up than this is hiding or broken. */
const leastOnline = 80
/** Cards beyond this many are turned over page by page: each asks for a picture. */
const cardsShown = 12

export interface SiteEyes {
  projectCode: string
  projectName: string
  areaName: string | null
  cameras: readonly DeviceRow[]
  online: number
  percent: number
  missing: readonly string[]
  /** The picture that stands for the site. */
  key: DeviceRow | undefined
  lastOffline: number | null
}

/** Sites by how many of their cameras are up, the worst first. @public */
export function sitesOf(cameras: readonly DeviceRow[]): SiteEyes[] {
  return [...Map.groupBy(cameras, (one) => one.projectCode)]
    .flatMap(([projectCode, own]): SiteEyes[] => {
      const [first] = own
      if (!first) return []
      const up = own.filter((one) => stateOf(one) !== 'offline')
      const seen = new Set(own.map((one) => placeOf(one.name)))
      const down = own.flatMap((one) => (stateOf(one) === 'offline' && one.lastTime !== null ? [one.lastTime] : []))
      return [
        {
          projectCode,
          projectName: first.projectName,
          areaName: first.areaName,
          cameras: own,
          online: up.length,
          percent: Math.round((up.length / own.length) * 100),
          missing: keySpots.filter((spot) => !seen.has(spot)),
          key: keySpots.map((spot) => up.find((one) => placeOf(one.name) === spot)).find(Boolean) ?? up[0],
          lastOffline: down.length > 0 ? Math.max(...down) : null,
        },
      ]
    })
    .sort((a, b) => a.percent - b.percent || b.cameras.length - a.cameras.length)
}

/** Patrol many sites in ten minutes: which of them hide? */
export default function VideoSitesPage() {
  const projectCode = useProjectCode()
  const query = usePageQuery()
  const page = usePage()
  const go = useGo()
  const visible = useVisible()
  const frame = useRef<HTMLDivElement>(null)
  const [since] = useState(() => `${day(Date.now())} 00:00:00`)
  const [picked, setPicked] = useState<string>()
  const often = page.active ? { everyMs: 60_000 } : {}
  const devices = useCall(
    listDevices,
    { query: { projectCode, family: 'videoAi', with: 'latest', status: '1', size: 1000 } },
    { quiet: true, ...often },
  )
  const today = useCall(findAiEvents, { query: { projectCode, startTime: since, size: 1000 } }, { quiet: true, ...often })
  const sites = useMemo(() => sitesOf(devices.data?.list ?? []), [devices.data])
  const hits = useMemo(() => Map.groupBy(today.data?.list ?? [], (one) => one.projectCode), [today.data])
  const areas = [...new Set(sites.map((one) => one.areaName ?? '未填区划'))]
  const area = query.get('area') ?? undefined
  const low = query.get('low') !== null
  const listed = query.get('by') === 'list'
  const logged = query.get('by') === 'log'
  const found = sites.filter((one) => (!area || (one.areaName ?? '未填区划') === area) && (!low || one.percent < leastOnline))
  const turn = Math.min(Number(query.get('turn')) || 0, Math.max(0, Math.ceil(found.length / cardsShown) - 1))
  const shown = found.slice(turn * cardsShown, (turn + 1) * cardsShown)
  const patrolled = found.findIndex((one) => one.projectCode === query.get('patrol'))
  const patrol = found[patrolled]
  const put = (more: Record<string, string | undefined>) =>
    go(
      page.path,
      { area, low: low ? '1' : undefined, by: query.get('by') ?? undefined, patrol: query.get('patrol') ?? undefined, ...more },
      { replace: true },
    )
  const step = (by: 1 | -1) => put({ patrol: found[(patrolled + by + found.length) % found.length]?.projectCode })
  const enter = (site: SiteEyes) =>
    switchScope({ projectCode: site.projectCode, projectName: site.projectName }).then(() => go('/VideoSurveillance'), showFailure)
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
  const all = devices.data.list
  return (
    <PageShell
      remark="在线率最低的排在前面；卡片显示抓图，点一下才实时播放"
      actions={
        <>
          <MediaSettings />
          {found.length > 0 && (
            <Button type="primary" onClick={() => put({ patrol: patrol ? undefined : found[0]?.projectCode })}>
              {patrol ? '结束巡查' : '开始巡查'}
            </Button>
          )}
        </>
      }
    >
      <div className="fam-analysis" ref={frame}>
        <FigureStrip
          items={[
            { label: '项目', value: sites.length, unit: '个' },
            { label: '摄像机在线', value: `${all.filter((one) => stateOf(one) !== 'offline').length} / ${all.length}`, unit: '路' },
            {
              label: `在线率低于 ${leastOnline} %`,
              value: sites.filter((one) => one.percent < leastOnline).length,
              unit: '个项目',
              tone: sites.some((one) => one.percent < leastOnline) ? 'warning' : undefined,
            },
            {
              label: '缺重点部位',
              value: sites.filter((one) => one.missing.length > 0).length,
              unit: '个项目',
              remark: keySpots.join('、'),
            },
          ]}
        />
        <div className="zg-card fam-bar">
          <span className="fam-device">
            <Choice
              aria-label="区划"
              placeholder="全部区划"
              value={area}
              options={areas.map((value) => ({ value, label: value }))}
              onChange={(value) => put({ area: value, turn: undefined })}
            />
          </span>
          <Segmented
            aria-label="在线率"
            value={low ? 'low' : 'all'}
            options={[
              { value: 'all', label: '全部项目' },
              { value: 'low', label: `在线率低于 ${leastOnline} %` },
            ]}
            onChange={(value) => put({ low: value === 'low' ? '1' : undefined, turn: undefined })}
          />
          <Segmented
            aria-label="视图"
            value={logged ? 'log' : listed ? 'list' : 'cards'}
            options={[
              { value: 'cards', label: '卡片' },
              { value: 'list', label: '列表' },
              { value: 'log', label: '巡查记录' },
            ]}
            onChange={(value) => put({ by: value === 'cards' ? undefined : String(value) })}
          />
          {found.length > cardsShown && !listed && !logged && (
            <span className="right">
              <Button disabled={turn === 0} onClick={() => put({ turn: String(turn - 1) })}>
                上一批
              </Button>
              <Button disabled={(turn + 1) * cardsShown >= found.length} onClick={() => put({ turn: String(turn + 1) })}>
                下一批
              </Button>
            </span>
          )}
        </div>
        {patrol && (
          <Patrol site={patrol} no={patrolled + 1} of={found.length} visible={visible} onStep={step} onEnter={() => void enter(patrol)} />
        )}
        {logged ? (
          <PatrolLog projectCode={projectCode} emptyHint="点“开始巡查”逐个项目看过后，记录出现在这里" />
        ) : found.length === 0 ? (
          <Card>
            <Empty text="没有符合条件的项目" hint="登记了摄像机的项目才在这里" />
          </Card>
        ) : listed ? (
          <Card>
            <table className="fam-table">
              <thead>
                <tr>
                  {['项目', '区划', '摄像机', '在线率 %', '缺少重点部位', '最近离线', '今日识别', '操作'].map((one, i) => (
                    <th key={one} scope="col" className={i === 1 || i === 4 || i === 7 ? 'word' : undefined}>
                      {one}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {found.map((one) => (
                  <tr key={one.projectCode}>
                    <td>{one.projectName}</td>
                    <td className="word">{one.areaName ?? '--'}</td>
                    <td>{one.cameras.length}</td>
                    <td className={one.percent < leastOnline ? 'tone-danger' : ''}>{one.percent}</td>
                    <td className="word">{one.missing.join('、') || '无'}</td>
                    <td>{one.lastOffline === null ? '--' : age(one.lastOffline)}</td>
                    <td>{hits.get(one.projectCode)?.length ?? 0}</td>
                    <td className="word">
                      <button type="button" className="zg-bare zg-link" onClick={() => void enter(one)}>
                        进入视频墙
                      </button>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </Card>
        ) : (
          <div className="vid-cards">
            {shown.map((one) => (
              <section key={one.projectCode} className="zg-card" aria-label={one.projectName}>
                {one.key ? (
                  <VideoTile
                    deviceId={one.key.id}
                    name={one.key.name}
                    mode={!visible ? 'rest' : picked === one.key.id ? 'live' : 'snapshot'}
                    focused={picked === one.key.id}
                    onFocus={() => setPicked(picked === one.key?.id ? undefined : one.key?.id)}
                  />
                ) : (
                  <div className="vid-empty">全部离线{one.lastOffline === null ? '' : `，最后在 ${age(one.lastOffline)}`}</div>
                )}
                <div className="said">
                  <strong>{one.projectName}</strong>
                  <Tag tone={one.percent < leastOnline ? 'danger' : 'fine'}>
                    在线 {one.online}/{one.cameras.length}
                  </Tag>
                  <span className="zg-2">
                    {one.areaName ?? ''}　今日识别 {hits.get(one.projectCode)?.length ?? 0}
                    {one.missing.length > 0 && `　缺 ${one.missing.join('、')}`}
                  </span>
                  <button type="button" className="zg-bare zg-link" onClick={() => void enter(one)}>
                    进入视频墙
                  </button>
                </div>
              </section>
            ))}
          </div>
        )}
      </div>
    </PageShell>
  )
}

/** One site after the other, its cameras side by side; turned over by the arrow keys. */
function Patrol({
  site,
  no,
  of,
  visible,
  onStep,
  onEnter,
}: {
  site: SiteEyes
  no: number
  of: number
  visible: boolean
  onStep: (by: 1 | -1) => void
  onEnter: () => void
}) {
  const box = useRef<HTMLElement>(null)
  return (
    <section
      ref={box}
      className="zg-card vid-patrol"
      aria-label={`巡查 ${site.projectName}`}
      onKeyDown={(event) => {
        const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
        if (by !== 0) onStep(by as 1 | -1)
      }}
    >
      <div className="zg-card-head">
        <h2>
          {no} / {of}　{site.projectName}
        </h2>
        <span className="remark">在线 {site.percent} %，左右方向键换项目</span>
        <div className="right">
          <Button onClick={() => onStep(-1)}>上一个</Button>
          <Button onClick={() => onStep(1)}>下一个</Button>
          <Button onClick={onEnter}>进入视频墙</Button>
          <PatrolSteps key={site.projectCode} site={site} onDone={() => onStep(1)} />
        </div>
      </div>
      <div className="vid-grid" data-size="4">
        {site.cameras.slice(0, 4).map((one) => (
          <div key={one.id} className="vid-slot">
            <VideoTile
              deviceId={one.id}
              name={one.name}
              mode={visible ? (stateOf(one) === 'online' ? 'live' : 'snapshot') : 'rest'}
              acts={<SnapshotButton camera={one} />}
            />
          </div>
        ))}
      </div>
    </section>
  )
}
