import { type DeviceRow, listDevices } from '@zhugong/contract/equipment/endpoints'
import { keySpots } from '@zhugong/contract/monitoring/video/camera-places'
import { leastOnline, listVideoSites, type VideoSite, videoSiteList } from '@zhugong/contract/monitoring/video/video-sites'
import { Button, Segmented } from 'antd'
import { useRef, useState } from 'react'
import { useCall } from '#kit/call.ts'
import { DataTable } from '#kit/data-table.tsx'
import { Card, DetailSkeleton, Empty, ErrorPanel, FigureStrip, Tag } from '#kit/feedback.tsx'
import { age, time } from '#kit/format.ts'
import { showFailure } from '#kit/http.ts'
import { AreaInput } from '#kit/inputs.tsx'
import { useListPage } from '#kit/list.ts'
import { PageShell } from '#kit/list-shell.tsx'
import { switchScope, useProjectCode } from '#kit/me.ts'
import { useGo, usePage, usePageQuery } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import '../family.css'
import '../monitoring.css'
import { stateOf } from './camera.ts'
import { SnapshotButton } from './marks.tsx'
import { MediaSettings } from './media-settings.tsx'
import { PatrolLog, PatrolSteps } from './patrols.tsx'
import { useVisible } from './stream.ts'
import './video.css'
import { VideoTile } from './video-tile.tsx'

/** Cards per page: each requests a picture. */
const cardsShown = 12
/** More cameras than any site has. */
const mostCameras = 1_000

/** Which of many sites have too few cameras online, and what do the others show? */
export default function VideoSitesPage() {
  const projectCode = useProjectCode()
  const query = usePageQuery()
  const page = usePage()
  const go = useGo()
  const visible = useVisible()
  const often = page.active ? { everyMs: 60_000 } : {}
  const area = query.get('area') ?? undefined
  const low = query.get('low') !== null
  const by = query.get('by')
  const [listed, logged] = [by === 'list', by === 'log']
  const turn = Math.max(0, Number(query.get('turn')) || 0)
  const wanted = {
    projectCode,
    areaCode: area || undefined,
    onlinePercent: low ? `0,${leastOnline - 1}` : undefined,
  }
  const cards = useCall(
    listVideoSites,
    { query: { ...wanted, page: turn + 1, size: cardsShown } },
    { quiet: true, keepPrevious: true, ...often },
  )
  const total = cards.data?.total ?? 0
  const requested = query.get('patrol')
  const patrolled = requested === null ? undefined : Math.min(Math.max(0, Number(requested) || 0), Math.max(0, total - 1))
  const put = (more: Record<string, string | undefined>) =>
    go(page.path, { area, low: low ? '1' : undefined, by: by ?? undefined, patrol: requested ?? undefined, ...more }, { replace: true })
  const enter = (site: VideoSite) =>
    void switchScope({ projectCode: site.projectCode, projectName: site.projectName }).then(() => go('/VideoSurveillance'), showFailure)
  if (!cards.data)
    return (
      <PageShell>
        {cards.error ? (
          <Card>
            <ErrorPanel error={cards.error} retry={cards.refetch} />
          </Card>
        ) : (
          <DetailSkeleton />
        )}
      </PageShell>
    )
  const { counts, list } = cards.data
  return (
    <PageShell
      remark="在线率最低的排在前面；卡片显示抓图，点一下才实时播放"
      actions={
        <>
          <MediaSettings />
          {total > 0 && (
            <Button type="primary" onClick={() => put({ patrol: patrolled === undefined ? '0' : undefined })}>
              {patrolled === undefined ? '开始巡查' : '结束巡查'}
            </Button>
          )}
        </>
      }
    >
      <div className="fam-analysis">
        <FigureStrip
          items={[
            { label: '项目', value: counts.sites, unit: '个' },
            { label: '摄像机在线', value: `${counts.online} / ${counts.cameras}`, unit: '路' },
            { label: `在线率低于 ${leastOnline} %`, value: counts.low, unit: '个项目', tone: counts.low > 0 ? 'warning' : undefined },
            { label: '缺重点部位', value: counts.missing, unit: '个项目', remark: keySpots.join('、') },
          ]}
        />
        <div className="zg-card fam-bar">
          {!listed && !logged && (
            <>
              <span className="fam-device">
                <AreaInput
                  aria-label="区划"
                  placeholder="全部区划"
                  value={area}
                  onChange={(value) => put({ area: value || undefined, turn: undefined, patrol: undefined })}
                />
              </span>
              <Segmented
                aria-label="在线率"
                value={low ? 'low' : 'all'}
                options={[
                  { value: 'all', label: '全部项目' },
                  { value: 'low', label: `在线率低于 ${leastOnline} %` },
                ]}
                onChange={(value) => put({ low: value === 'low' ? '1' : undefined, turn: undefined, patrol: undefined })}
              />
            </>
          )}
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
          {total > cardsShown && !listed && !logged && (
            <span className="right">
              <Button disabled={turn === 0} onClick={() => put({ turn: String(turn - 1) })}>
                上一批
              </Button>
              <Button disabled={(turn + 1) * cardsShown >= total} onClick={() => put({ turn: String(turn + 1) })}>
                下一批
              </Button>
            </span>
          )}
        </div>
        {patrolled !== undefined && total > 0 && (
          <Patrol
            wanted={wanted}
            no={patrolled}
            of={total}
            visible={visible}
            onStep={(step) => put({ patrol: String((patrolled + step + total) % total), turn: String(turn) })}
            onEnter={enter}
          />
        )}
        {logged ? (
          <PatrolLog projectCode={projectCode} emptyHint="点“开始巡查”逐个项目看过后，记录出现在这里" />
        ) : listed ? (
          <SiteList projectCode={projectCode} onEnter={enter} />
        ) : list.length === 0 ? (
          <Card>
            <Empty text="没有符合条件的项目" hint="登记了摄像机的项目才在这里" />
          </Card>
        ) : (
          <SiteCards sites={list} visible={visible} onEnter={enter} />
        )}
      </div>
    </PageShell>
  )
}

function SiteCards({ sites, visible, onEnter }: { sites: readonly VideoSite[]; visible: boolean; onEnter: (site: VideoSite) => void }) {
  const [picked, setPicked] = useState<string>()
  return (
    <div className="vid-cards">
      {sites.map((one) => {
        const key = one.keyCamera
        return (
          <section key={one.projectCode} className="zg-card" aria-label={one.projectName}>
            {key ? (
              <VideoTile
                deviceId={key.deviceId}
                name={key.name}
                mode={!visible ? 'rest' : picked === key.deviceId ? 'live' : 'snapshot'}
                focused={picked === key.deviceId}
                onFocus={() => setPicked(picked === key.deviceId ? undefined : key.deviceId)}
              />
            ) : (
              <div className="vid-empty">全部离线{one.lastOffline === null ? '' : `，最后在 ${age(one.lastOffline)}`}</div>
            )}
            <div className="said">
              <strong>{one.projectName}</strong>
              <Tag tone={one.onlinePercent < leastOnline ? 'danger' : 'fine'}>
                在线 {one.online}/{one.cameras}
              </Tag>
              <span className="zg-2">
                {one.areaName ?? ''}　今日识别 {one.hitsToday}
                {one.keySpotMissing.length > 0 && `　缺 ${one.keySpotMissing.join('、')}`}
                {one.lastPatrol === null ? '　还没有巡查' : `　巡查 ${age(one.lastPatrol)}`}
              </span>
              <button type="button" className="zg-bare zg-link" onClick={() => onEnter(one)}>
                进入视频墙
              </button>
            </div>
          </section>
        )
      })}
    </div>
  )
}

function SiteList({ projectCode, onEnter }: { projectCode: string; onEnter: (site: VideoSite) => void }) {
  const list = useListPage(videoSiteList, {
    scope: { projectCode },
    own: ['by', 'area', 'low', 'patrol', 'turn'],
    defaultSort: 'onlinePercent',
  })
  const columns: ColumnOf<typeof videoSiteList>[] = [
    { key: 'projectName', width: 200, locked: true, filter: 'text', value: (r) => r.projectName },
    { key: 'areaCode', width: 110, filter: 'area-cascader', value: (r) => r.areaName },
    { key: 'cameras', width: 88, align: 'right', sort: true, value: (r) => r.cameras },
    { key: 'online', width: 72, align: 'right', hidden: true, value: (r) => r.online },
    {
      key: 'onlinePercent',
      width: 116,
      align: 'right',
      sort: true,
      filter: 'numeric-range',
      value: (r) => <span className={r.onlinePercent < leastOnline ? 'tone-danger' : ''}>{r.onlinePercent}</span>,
    },
    {
      key: 'keySpotMissing',
      width: 160,
      filter: 'multi',
      options: keySpots.map((value) => ({ value, label: value })),
      value: (r) => r.keySpotMissing.join('、') || '无',
    },
    { key: 'storageDays', width: 110, align: 'right', sort: true, filter: 'numeric-range', value: (r) => r.storageDays },
    { key: 'lastOffline', width: 112, sort: true, value: (r) => (r.lastOffline === null ? null : age(r.lastOffline)) },
    { key: 'hitsToday', width: 88, align: 'right', value: (r) => r.hitsToday },
    {
      key: 'lastPatrol',
      width: 136,
      sort: true,
      filter: 'date-range',
      value: (r) => (r.lastPatrol === null ? null : time(r.lastPatrol).slice(0, 16)),
    },
    { key: 'lastPatrolBy', width: 88, hidden: true, value: (r) => r.lastPatrolBy },
  ]
  return (
    <DataTable
      list={list}
      columns={columns}
      rowKey={(row) => row.projectCode}
      unit="个项目"
      emptyHint="登记了摄像机的项目才在这里"
      actions={(row) => [{ label: '进入视频墙', onClick: () => onEnter(row) }]}
    />
  )
}

interface PatrolProps {
  wanted: { projectCode: string; areaCode?: string; onlinePercent?: string }
  /** Index of the site, from 0. */
  no: number
  of: number
  visible: boolean
  onStep: (by: 1 | -1) => void
  onEnter: (site: VideoSite) => void
}
const onPatrol = 4

/** One site at a time with its cameras side by side; arrow keys change the site. */
function Patrol({ wanted, no, of, visible, onStep, onEnter }: PatrolProps) {
  const box = useRef<HTMLElement>(null)
  const found = useCall(
    listVideoSites,
    { query: { ...wanted, page: no + 1, size: 1 } },
    { quiet: true, keepPrevious: true, staleMs: 60_000 },
  )
  const site = found.data?.list[0]
  const devices = useCall(
    listDevices,
    { query: { projectCode: site?.projectCode ?? '', family: 'videoAi', with: 'latest', status: '1', size: mostCameras } },
    { quiet: true, enabled: site !== undefined },
  )
  const cameras: readonly DeviceRow[] = devices.data?.list ?? none
  return (
    <section
      ref={box}
      className="zg-card vid-patrol"
      aria-label={`巡查 ${site?.projectName ?? ''}`}
      onKeyDown={(event) => {
        const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
        if (by !== 0) onStep(by as 1 | -1)
      }}
    >
      <div className="zg-card-head">
        <h2>
          {no + 1} / {of}　{site?.projectName ?? '加载中'}
        </h2>
        <span className="remark">{site ? `在线 ${site.onlinePercent} %，左右方向键换项目` : ''}</span>
        <div className="right">
          <Button onClick={() => onStep(-1)}>上一个</Button>
          <Button onClick={() => onStep(1)}>下一个</Button>
          {site && <Button onClick={() => onEnter(site)}>进入视频墙</Button>}
          {site && cameras.length > 0 && <PatrolSteps key={site.projectCode} site={{ ...site, cameras }} onDone={() => onStep(1)} />}
        </div>
      </div>
      <div className="vid-grid" data-size="4">
        {cameras.slice(0, onPatrol).map((one) => (
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
const none: readonly DeviceRow[] = []
