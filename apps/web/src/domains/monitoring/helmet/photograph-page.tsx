import { CameraOutlined } from '@ant-design/icons'
import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { helmetSnaps, mediaTriggers } from '@zhugong/contract/monitoring/helmet/helmet-media'
import { onGround, type Site, whereabouts } from '@zhugong/contract/monitoring/site'
import { Button, Input, Segmented } from 'antd'
import { useMemo, useState } from 'react'
import { AlarmDrawer } from '#domains/alarms/public.tsx'
import { useCall } from '#kit/call.ts'
import { Card, Empty, ErrorPanel, FigureStrip, Known, Pairs, Panel, RiskBadge, Tag } from '#kit/feedback.tsx'
import { day, minuteOfDay, time } from '#kit/format.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { hrefOf, useGo, usePageQuery } from '#kit/page.tsx'
import { Pager } from '#kit/pager.tsx'
import { Thumb } from '#kit/viewers.tsx'
import { useSite } from '../family-live.ts'
import '../family.css'
import { RecordPanel } from '../family-record.tsx'
import { ScopeBar, useFamilyScope } from '../family-scope.tsx'
import '../monitoring.css'
import { replayText } from '../replay.ts'
import './helmet.css'
import { HelmetPlan } from './helmet-plan.tsx'
import { RemoteShot } from './remote-shot.tsx'

type Shot = OutputFor<typeof helmetSnaps>['list'][number]

const family = 'smartHelmet'
const everyTrigger = 'every'
const usualSize = 60
/** Span of the wearer's track shown around a picture. */
const aroundMs = 15 * 60_000
const tones = { manual: 'neutral', alarm: 'danger', remote: 'running' } as const

const nameOf = (shot: Shot) => shot.workerName ?? shot.deviceName

/** Place of a picture: a building, a danger zone, outside the fence. */
function placeWords(shot: Shot, site: Site | undefined): string {
  if (!shot.at) return '未定位'
  return site ? whereabouts(site, onGround(site.origin, [shot.at.lng, shot.at.lat])).words : '场内'
}

/** What did people photograph on their round, and what was done about it? */
export default function PhotographPage() {
  const scope = useFamilyScope({ family, usual: '7' })
  const query = usePageQuery()
  const go = useGo()
  const trigger = query.get('trigger') ?? everyTrigger
  const name = query.get('name') ?? ''
  const page = Math.max(1, Number(query.get('page')) || 1)
  const [size, setSize] = useState(usualSize)
  const [alarmId, setAlarmId] = useState<string>()
  const ask = { ...scope.query, name: name || undefined }
  const shots = useCall(
    helmetSnaps,
    { query: { ...ask, trigger: trigger === everyTrigger ? undefined : trigger, page, size } },
    { quiet: true, keepPrevious: true },
  )
  const alarmed = useCall(helmetSnaps, { query: { ...ask, trigger: 'alarm', size: 1 } }, { quiet: true, keepPrevious: true })
  const remote = useCall(helmetSnaps, { query: { ...ask, trigger: 'remote', size: 1 } }, { quiet: true, keepPrevious: true })
  const ground = useSite(scope.projectCode)
  const site = scope.projectCode === '*' ? undefined : ground.site
  const rows = useMemo(() => shots.data?.list ?? [], [shots.data])
  const chosen = rows.find((one) => one.key === query.get('record'))
  const days = useMemo(() => [...Map.groupBy(rows, (one) => day(one.time))], [rows])
  const people = new Set(rows.map(nameOf)).size
  return (
    <ListShell
      strip={
        <FigureStrip
          loading={!shots.data}
          items={[
            { label: '照片', value: shots.data?.total, unit: '张', remark: scope.words },
            { label: '报警触发', value: alarmed.data?.total, unit: '张', tone: alarmed.data?.total ? 'warning' : undefined },
            { label: '远程抓拍', value: remote.data?.total, unit: '张' },
            { label: '本页拍摄人', value: shots.data ? people : undefined, unit: '人' },
          ]}
        />
      }
      titleActions={<RemoteShot projectCode={scope.projectCode} />}
      right={
        chosen && (
          <RecordPanel title={nameOf(chosen)} remark={chosen.teamName ?? undefined} onClose={() => scope.put({ record: undefined })}>
            <ShotFacts shot={chosen} site={site} onAlarm={setAlarmId} />
          </RecordPanel>
        )
      }
    >
      <div className="zg-card fam-bar">
        <ScopeBar scope={scope} periods={['1', '7', '30']} unit="安全帽" />
        <Segmented
          aria-label="触发"
          value={trigger}
          options={[{ value: everyTrigger, label: '全部' }, ...Object.entries(mediaTriggers).map(([value, label]) => ({ value, label }))]}
          onChange={(value) => scope.put({ trigger: value === everyTrigger ? undefined : String(value), record: undefined })}
        />
        <Input.Search
          aria-label="拍摄人"
          placeholder="拍摄人"
          allowClear
          defaultValue={name}
          className="fam-device"
          onSearch={(value) => scope.put({ name: value.trim() || undefined, record: undefined })}
        />
      </div>
      {shots.error && !shots.data ? (
        <ErrorPanel error={shots.error} retry={shots.refetch} />
      ) : (
        <div className="shot-stage">
          <section className="shot-days" aria-label="照片">
            {rows.length === 0 ? (
              <Known of={shots}>
                <Empty text="这段时间没有照片" hint="佩戴人按下拍照键、报警或远程抓拍后显示；照片按保存期自动清理，不能手工删除" />
              </Known>
            ) : (
              days.map(([date, own]) => (
                <Card key={date} title={date} remark={`${own.length} 张`}>
                  <ul className="shot-list">
                    {own.map((shot) => (
                      <ShotTile
                        key={shot.key}
                        shot={shot}
                        place={placeWords(shot, site)}
                        chosen={shot.key === chosen?.key}
                        onChoose={() => scope.put({ record: shot.key, page: String(page) })}
                      />
                    ))}
                  </ul>
                </Card>
              ))
            )}
          </section>
          {site && (
            <ShotPlan site={site} shots={rows} chosen={chosen?.key} onChoose={(key) => scope.put({ record: key, page: String(page) })} />
          )}
        </div>
      )}
      <div className="zg-card zg-table-footer">
        <Pager
          unit="张"
          list={{
            page,
            size,
            total: shots.data?.total ?? 0,
            loading: shots.isPending,
            setPage: (next) =>
              go(hrefOf('/helmet/photograph', { ...Object.fromEntries(query), page: String(next) }), {}, { replace: true }),
            setSize,
          }}
        />
      </div>
      <AlarmDrawer id={alarmId} onClose={() => setAlarmId(undefined)} />
    </ListShell>
  )
}

function ShotTile({ shot, place, chosen, onChoose }: { shot: Shot; place: string; chosen: boolean; onChoose: () => void }) {
  const words = `${nameOf(shot)}，${time(shot.time)}，${place}`
  return (
    <li data-chosen={chosen}>
      {shot.photo ? (
        <Thumb src={shot.photo} name={words} width={208} height={117} />
      ) : (
        <span className="shot-none">
          <CameraOutlined /> 安全帽尚未上传原图
        </span>
      )}
      <button type="button" className="zg-bare" aria-pressed={chosen} onClick={onChoose}>
        <strong>{nameOf(shot)}</strong>
        <time title={`拍摄 ${time(shot.time)}，上传 ${time(shot.receivedAt)}`}>{minuteOfDay(shot.time)}</time>
        <span>{place}</span>
        <span className="tags">
          {shot.trigger !== 'manual' && <Tag tone={tones[shot.trigger]}>{mediaTriggers[shot.trigger]}</Tag>}
          {shot.late && <Tag>补传</Tag>}
        </span>
      </button>
    </li>
  )
}

function ShotFacts({ shot, site, onAlarm }: { shot: Shot; site: Site | undefined; onAlarm: (id: string) => void }) {
  const go = useGo()
  const { alarm } = shot
  return (
    <>
      {shot.photo ? (
        <Thumb src={shot.photo} name={`${nameOf(shot)} ${time(shot.time)} ${placeWords(shot, site)}`} width={300} height={169} />
      ) : (
        <p className="zg-2">原图尚未上传，安全帽有网络后自动补传</p>
      )}
      <Pairs
        items={[
          { label: '拍摄', value: time(shot.time) },
          { label: '上传', value: `${time(shot.receivedAt)}${shot.late ? '（补传）' : ''}` },
          { label: '位置', value: placeWords(shot, site) },
          { label: '触发', value: mediaTriggers[shot.trigger] },
          { label: '安全帽', value: shot.deviceName },
          {
            label: '当时的报警',
            value: alarm && (
              <button type="button" className="zg-bare zg-link" onClick={() => onAlarm(alarm.id)}>
                <RiskBadge level={alarm.level} /> {alarm.label}
              </button>
            ),
          },
        ]}
      />
      <div className="fam-acts">
        <Button
          onClick={() =>
            go('/helmet/track', { deviceId: shot.deviceId, span: replayText({ from: shot.time - aroundMs, to: shot.time + aroundMs }) })
          }
        >
          当时的轨迹
        </Button>
      </div>
    </>
  )
}

/** Places of the page's pictures. */
function ShotPlan({
  site,
  shots,
  chosen,
  onChoose,
}: {
  site: Site
  shots: readonly Shot[]
  chosen: string | undefined
  onChoose: (key: string) => void
}) {
  const placed = shots.flatMap((shot) => (shot.at ? [{ shot, at: onGround(site.origin, [shot.at.lng, shot.at.lat]) }] : []))
  return (
    <div className="mon shot-plan">
      <Panel title="拍摄位置" actions={<span className="mon-legend">本页 {placed.length} 张有定位</span>}>
        <HelmetPlan
          site={site}
          selected={chosen}
          onSelect={onChoose}
          label={`拍摄位置，本页 ${placed.length} 张有定位`}
          people={placed.map(({ shot, at }) => ({
            id: shot.key,
            label: `${nameOf(shot)} ${minuteOfDay(shot.time)}`,
            at,
            tone: shot.trigger === 'alarm' ? ('alarm' as const) : ('fine' as const),
            past: false,
            named: false,
            state: `${time(shot.time)}，${whereabouts(site, at).words}`,
          }))}
        />
      </Panel>
    </div>
  )
}
