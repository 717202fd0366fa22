import { OrderedListOutlined } from '@ant-design/icons'
import { helmetPositions, listHelmets } from '@zhugong/contract/monitoring/helmet/helmets'
import { Button, Checkbox } from 'antd'
import { useState } from 'react'
import { useCall } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { DetailSkeleton, Empty, ErrorPanel, Notice, Panel } from '#kit/feedback.tsx'
import { age, span, time } from '#kit/format.ts'
import { PageShell } from '#kit/list-shell.tsx'
import { useNow } from '#kit/live.ts'
import { PageModal } from '#kit/overlay.tsx'
import { useGo, usePage, usePageQuery } from '#kit/page.tsx'
import '../monitoring.css'
import { OneSite } from '../one-site.tsx'
import { type Area, AreaSection, areaKey, areaState } from './area-section.tsx'
import './helmet.css'

const everyMs = 10_000
const mostHelmets = 500
/** Longer stays in an area with a limit are highlighted. */
const longStaySeconds = 3_600

export default function BaseStationPage() {
  return (
    <OneSite family="baseStationHelmet" unit="基站安全帽">
      {(projectCode) => <UnderGround key={projectCode} projectCode={projectCode} />}
    </OneSite>
  )
}

/** How many people are in which area, who has stayed too long, and where is the state unknown? */
function UnderGround({ projectCode }: { projectCode: string }) {
  const query = usePageQuery()
  const page = usePage()
  const go = useGo()
  useNow(everyMs)
  const places = useCall(
    helmetPositions,
    { query: { projectCode, category: '701' } },
    { quiet: true, everyMs: page.active ? everyMs : undefined },
  )
  const tags = useCall(listHelmets, { query: { projectCode, category: '701', size: mostHelmets } }, { quiet: true, everyMs: 60_000 })
  const mayTrack = useCan('helmet.track')
  const [muster, setMuster] = useState(false)
  const areas = places.data?.areas ?? []
  const chosen = query.get('area') ?? undefined
  const pick = (key: string) => go(page.path, { area: key === chosen ? undefined : key }, { replace: true })
  const inside = areas.reduce((sum, one) => sum + (one.count ?? 0), 0)
  const full = areas.filter((one) => areaState(one) === 'full')
  const unknown = areas.filter((one) => !one.known)
  const long = areas.filter((one) => one.longestSeconds >= longStaySeconds && one.limit !== null)
  const people = (places.data?.list ?? []).filter((one) => one.online && one.areaName !== null)
  const shown = chosen
    ? people.filter((one) => areaKey({ areaName: one.areaName ?? '', floorName: one.floorName ?? '' }) === chosen)
    : people
  const nameOf = (id: string, fallback: string) => tags.data?.list.find((one) => one.deviceId === id)?.workerName ?? fallback
  return (
    <PageShell
      fill
      remark={<span className="mon-said">进入为 10 秒内读到 2 次，离开为 60 秒没有读到：两个基站之间的跳动已平滑</span>}
      actions={
        <Button danger icon={<OrderedListOutlined />} onClick={() => setMuster(true)}>
          撤离点名
        </Button>
      }
    >
      {places.error && !places.data ? (
        <ErrorPanel error={places.error} retry={places.refetch} />
      ) : !places.data ? (
        <DetailSkeleton />
      ) : (
        <div className="mon mon-map">
          <div className="mon-left">
            <Panel title="区域" actions={<span className="mon-legend">{areas.length} 个</span>}>
              <dl className="helmet-facts">
                <Fact label="在场" value={inside} />
                <Fact label="超员" value={full.length} tone="danger" />
                <Fact label="超时" value={long.length} tone="warning" />
                <Fact label="未知" value={unknown.length} tone="warning" />
                <Fact label="帽离线" value={tags.data?.list.filter((one) => !one.online).length} tone="warning" />
              </dl>
              <div className="helmet-stays">
                {areas.map((one) => (
                  <button
                    key={areaKey(one)}
                    type="button"
                    className="zg-bare"
                    aria-pressed={areaKey(one) === chosen}
                    onClick={() => pick(areaKey(one))}
                  >
                    <span className="helmet-no">{areaState(one) === 'unknown' ? '?' : (one.count ?? 0)}</span>
                    <b>{one.areaName}</b>
                    <span>{one.limit === null ? '' : `限 ${one.limit}`}</span>
                    <small>
                      {one.floorName}，{stateWords(one)}
                    </small>
                  </button>
                ))}
              </div>
            </Panel>
          </div>
          <div className="mon-plan-panel">
            <Panel title="剖面" actions={<span className="mon-legend">当前 {inside} 人，每 10 秒读取</span>}>
              {unknown.length > 0 && (
                <Notice tone="warning">{unknown.map((one) => one.areaName).join('、')} 的基站离线：区域人数未知，不等于没有人</Notice>
              )}
              {areas.length === 0 ? (
                <Empty text="本项目还没有登记基站" hint="登记基站并填写区域与楼层后，这里显示剖面" />
              ) : (
                <AreaSection areas={areas} chosen={chosen} onPick={pick} />
              )}
            </Panel>
          </div>
          <div className="mon-right">
            <Panel title={chosen ? chosen.split('/')[1] : '全部人员'} actions={<span className="mon-legend">{shown.length} 人</span>}>
              <div className="helmet-stays">
                {shown.map((one) => (
                  <button
                    key={one.deviceId}
                    type="button"
                    className="zg-bare"
                    disabled={!mayTrack}
                    title={mayTrack ? '看轨迹' : undefined}
                    onClick={() => go('/baseStationHelmet/track', { deviceId: one.deviceId })}
                  >
                    <span className="helmet-no">·</span>
                    <b>{nameOf(one.deviceId, one.deviceName)}</b>
                    <span>{age(one.time)}</span>
                    <small>
                      {[one.teamName, one.areaName].filter(Boolean).join(' · ')}
                      {one.openLevel === null ? '' : `，${one.openLevel} 级告警`}
                    </small>
                  </button>
                ))}
                {shown.length === 0 && <Empty small text="没有人员" hint="监管机构只看人数，不看姓名" />}
              </div>
            </Panel>
          </div>
        </div>
      )}
      {muster && (
        <Muster
          people={people.map((one) => ({
            id: one.deviceId,
            name: nameOf(one.deviceId, one.deviceName),
            place: `${one.floorName ?? ''} ${one.areaName ?? ''}`,
            team: one.teamName ?? '',
          }))}
          unknown={unknown}
          onClose={() => setMuster(false)}
        />
      )}
    </PageShell>
  )
}

const stateWords = (one: Area) =>
  ({
    unknown: '基站离线，人数未知',
    full: `超员 ${(one.count ?? 0) - (one.limit ?? 0)} 人`,
    fine: `最长停留 ${span(one.longestSeconds * 1000)}`,
  })[areaState(one)]

function Fact({ label, value, tone }: { label: string; value: number | undefined; tone?: 'danger' | 'warning' }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd data-tone={value ? tone : undefined}>{value ?? '--'}</dd>
    </div>
  )
}

interface MusterProps {
  people: readonly { id: string; name: string; place: string; team: string }[]
  unknown: readonly Area[]
  onClose: () => void
}

/** Roll call: everybody heard last, ticked off on leaving. A snapshot of the moment it was opened. */
function Muster({ people, unknown, onClose }: MusterProps) {
  const [called] = useState(() => ({ at: Date.now(), people }))
  const [out, setOut] = useState<ReadonlySet<string>>(new Set())
  const left = called.people.filter((one) => !out.has(one.id))
  return (
    <PageModal open width={720} title={`撤离点名 ${time(called.at)}`} footer={null} onCancel={onClose}>
      <Notice tone={left.length === 0 ? 'fine' : 'danger'}>
        应到 {called.people.length} 人，已出 {out.size} 人，未出 {left.length} 人
        {unknown.length > 0 && `；${unknown.map((one) => one.areaName).join('、')} 基站离线，须派人核实`}
      </Notice>
      <div className="helmet-muster">
        {called.people.map((one) => (
          <Checkbox
            key={one.id}
            checked={out.has(one.id)}
            onChange={(event) =>
              setOut((before) => {
                const next = new Set(before)
                if (event.target.checked) next.add(one.id)
                else next.delete(one.id)
                return next
              })
            }
          >
            {one.name}（{one.place.trim() || '区域未知'}
            {one.team && `，${one.team}`}）
          </Checkbox>
        ))}
      </div>
      {called.people.length === 0 && <Empty small text="点名时没有读到人员" />}
    </PageModal>
  )
}
