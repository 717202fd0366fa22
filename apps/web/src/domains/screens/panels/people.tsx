import { dayMs, shanghaiOffsetMs } from '@zhugong/contract/kit/time'
import { dueWords, timeOfDay } from '#kit/format.ts'
import { Curves } from '../curves.tsx'
import { seconds, useFeed } from '../hub.ts'
import { Bar, Digit, Panel, Rolling } from '../panel.tsx'
import { inArea, type PanelProps, percent, said, sum, useWall } from '../wall-state.ts'

const presenceEvery = seconds(30)
const reportEvery = seconds(300)

/** People on site now: three figures, managers counted separately. */
export function AttendanceNow({ title }: PanelProps) {
  const feed = useFeed('presence', presenceEvery)
  const data = feed.data
  return (
    <Panel title={title} feeds={[feed]} everyMs={presenceEvery} remark={data?.quarantined ? `搁置通行 ${data.quarantined} 条` : undefined}>
      <div className="wall-digits">
        <Digit label="在册" value={data?.inPlace} unit="人" note={`管理人员 ${data?.managers.inPlace ?? '--'}`} />
        <Digit label="今日出勤" value={data?.attended} unit="人" note={data ? dueWords(data) : ''} />
        <Digit label="现在场内" value={data?.onDuty} unit="人" tone="accent" note={`管理人员 ${data?.managers.onDuty ?? '--'}`} />
      </div>
    </Panel>
  )
}

const yesterdayOf = (now: number) => new Date(now + shanghaiOffsetMs - dayMs).toISOString().slice(0, 10)

/** Entries and exits by hour, with yesterday as a thin line. */
export function AttendanceHour({ title, w, h }: PanelProps) {
  const { now } = useWall()
  const every = seconds(120)
  const today = useFeed('hours', every)
  const before = useFeed('hours', seconds(1800), now ? { query: { date: yesterdayOf(now) } } : null)
  const hours = today.data?.list[0]?.hours ?? []
  const reached = new Date(now + shanghaiOffsetMs).getUTCHours()
  const line = hours.map((one, i) => (i <= reached ? one.onDuty : null))
  return (
    <Panel
      title={title}
      feeds={[today]}
      everyMs={every}
      empty={hours.length === 0 && '今日还没有进出场'}
      remark={
        <Keys
          keys={[
            ['accent', '在场人数'],
            ['muted', '昨日'],
          ]}
        />
      }
    >
      <Curves
        label={`今日进场 ${sum(hours, (one) => one.inCount)} 人次`}
        width={w * 238 - 48}
        height={h * 164 - 84}
        every={h > 1 ? 4 : 6}
        labels={hours.map((one) => `${one.hour}:00`)}
        lines={[
          { name: 'before', tone: 'muted', dashed: true, values: before.data?.list[0]?.hours.map((one) => one.onDuty) ?? [] },
          { name: 'today', tone: 'accent', area: true, values: line },
        ]}
      />
    </Panel>
  )
}

export function Keys({ keys }: { keys: readonly (readonly [string, string])[] }) {
  return (
    <>
      {keys.map(([tone, word]) => (
        <span key={word} className="wall-key">
          <i className={`wall-ground-${tone}`} />
          {word}
        </span>
      ))}
    </>
  )
}

export function AttendanceDay({ title, params, w, h }: PanelProps) {
  const feed = useFeed('report', reportEvery, { query: { days: params.days ?? 30 } })
  const days = feed.data?.attendance ?? []
  return (
    <Panel
      title={title}
      feeds={[feed]}
      everyMs={reportEvery}
      empty={days.length === 0 && '这段时间没有出勤'}
      remark={
        <Keys
          keys={[
            ['accent', '出勤人数'],
            ['muted', '在册'],
          ]}
        />
      }
    >
      <Curves
        label={`近 ${days.length} 天出勤`}
        width={w * 238 - 48}
        height={h * 164 - 84}
        every={Math.ceil(days.length / 5)}
        labels={days.map(({ day }) => day.slice(5))}
        lines={[
          { name: 'inPlace', tone: 'muted', dashed: true, values: days.map((one) => one.inPlace) },
          { name: 'attended', tone: 'accent', area: true, values: days.map((one) => one.attended) },
        ]}
      />
    </Panel>
  )
}

export function WorkTypeMix({ title, params }: PanelProps) {
  const feed = useFeed('report', reportEvery, { query: { days: 30 } })
  const all = feed.data?.trades ?? []
  const shown = all.slice(0, params.topN ?? 8)
  const rest = sum(all.slice(shown.length), (one) => one.count)
  const rows = rest > 0 ? [...shown, { name: '其他', count: rest }] : shown
  const most = Math.max(1, ...rows.map((one) => one.count))
  return (
    <Panel
      title={title}
      feeds={[feed]}
      everyMs={reportEvery}
      empty={rows.length === 0 && '没有在册人员'}
      remark={`在册 ${sum(all, (one) => one.count)} 人`}
    >
      <div className="wall-rows">
        {rows.map((one) => (
          <div key={one.name} className="wall-row wall-row-bar">
            <span>{one.name}</span>
            <Bar share={(one.count / most) * 100} />
            <b>{one.count}</b>
          </div>
        ))}
      </div>
    </Panel>
  )
}

export function CorpRank({ title, params, h }: PanelProps) {
  const feed = useFeed('presence', presenceEvery)
  const rows = [...(feed.data?.corps ?? [])].sort((a, b) => b.arrived - a.arrived).slice(0, params.topN ?? 20)
  return (
    <Panel title={title} feeds={[feed]} everyMs={presenceEvery} empty={rows.length === 0 && '没有参建单位在场'} remark="今日实到 / 应到">
      <Rolling rows={rows.length} fits={h * 4 - 1}>
        {rows.map((one) => (
          <div key={one.corpCode} className="wall-row wall-row-bar">
            <span>{one.corpName ?? one.corpCode}</span>
            <Bar share={one.rate} tone={one.rate !== null && one.rate < 80 ? 'warning' : 'accent'} />
            <b>
              {one.arrived} <small>/ {one.expected}</small>
            </b>
          </div>
        ))}
      </Rolling>
    </Panel>
  )
}

const inward = '01'
const outward = '02'
/** Live passages by team; walls show no names. */
export function GateLive({ title, params }: PanelProps) {
  const { setting } = useWall()
  const feed = useFeed('presence', presenceEvery)
  const data = feed.data
  const rows = data?.passages.slice(0, params.topN ?? 8) ?? []
  const gates = data && `闸机在线 ${data.gates.online} / ${data.gates.total}`
  return (
    <Panel
      title={title}
      feeds={[feed]}
      everyMs={presenceEvery}
      remark={gates}
      empty={setting?.visitor ? '参观模式，通行记录不显示' : rows.length === 0 && '今日还没有通行'}
    >
      <div className="wall-rows">
        {rows.map((one) => (
          <div key={one.id} className="wall-row wall-row-gate">
            <time>{timeOfDay(one.date)}</time>
            <span>{one.teamName ?? one.corpName ?? '管理人员'}</span>
            <em>{one.channel ?? ''}</em>
            <i className={one.direction === inward ? 'wall-fine' : 'wall-warning'}>
              {one.direction === inward ? '进场' : one.direction === outward ? '出场' : '通行'}
            </i>
          </div>
        ))}
      </div>
    </Panel>
  )
}

const requested = 80
/** Presence of key people: today by post on a site's wall, this month on walls of several sites. */
export function KeyPost({ title }: PanelProps) {
  const { level } = useWall()
  const every = seconds(300)
  const month = useFeed('keyPosts', every, { params: { type: 'keyPost' } })
  const main = useFeed('main', seconds(60))
  const posts = main.data?.keyPosts.filter((one) => one.expected) ?? []
  const present = posts.filter((one) => one.present).length
  const absent = main.data?.figures.find((one) => one.key === 'absentPosts')
  const rate = month.data?.rate
  return (
    <Panel title={title} feeds={[month, main]} everyMs={every} remark={`考核线 ${requested}%`}>
      <div className="wall-digits">
        {level === 3 ? (
          <Digit label="今日到岗" value={present} unit={`/ ${posts.length}`} tone={present < posts.length ? 'warning' : 'fine'} />
        ) : (
          <Digit
            label="今日未到"
            value={absent?.value}
            unit="人"
            tone={absent?.tone === 'warning' ? 'warning' : 'plain'}
            note={absent?.note}
          />
        )}
        <Digit
          label="本月到岗率"
          value={rate}
          unit="%"
          tone={rate !== null && rate !== undefined && rate < requested ? 'warning' : 'fine'}
        />
        <Digit label="关键岗位" value={month.data?.inPlace} unit="人" />
      </div>
    </Panel>
  )
}

/** Number of people without real-name check, contract, training or wage account. */
export function LaborCompliance({ title }: PanelProps) {
  const feed = useFeed('report', reportEvery, { query: { days: 30 } })
  const data = feed.data?.compliance
  const rows = data
    ? ([
        ['实名核验', data.realName],
        ['劳动合同', data.contract],
        ['进场教育', data.trained],
        ['工资账户', data.account],
      ] as const)
    : []
  return (
    <Panel
      title={title}
      feeds={[feed]}
      everyMs={reportEvery}
      empty={data?.inPlace === 0 && '没有在册人员'}
      remark={data && `在册 ${data.inPlace.toLocaleString('en-US')} 人`}
    >
      <div className="wall-rows wall-roomy">
        {rows.map(([name, n]) => {
          const share = percent(n, data?.inPlace ?? 0)
          const gap = (data?.inPlace ?? 0) - n
          const tone = share === null || share >= 98 ? 'fine' : share >= 90 ? 'accent' : 'warning'
          return (
            <div key={name} className="wall-row wall-row-share">
              <span>{name}</span>
              <Bar share={share} tone={tone} />
              <b>{share === null ? '--' : `${said(share, '%')}%`}</b>
              <em>{gap > 0 ? `差 ${gap} 人` : '齐'}</em>
            </div>
          )
        })}
      </div>
    </Panel>
  )
}

/** Districts compared; selecting one filters the whole wall. */
export function AreaCompare({ title, params, h }: PanelProps) {
  const { area, setArea, setting } = useWall()
  const every = seconds(60)
  const feed = useFeed('main', every)
  const named = setting?.named
  const rows = [...(feed.data?.districts ?? [])]
    .filter((one) => !named || named.includes(one.areaCode))
    .sort((a, b) => (a.weekRate ?? 101) - (b.weekRate ?? 101))
    .slice(0, params.topN ?? 20)
  return (
    <Panel
      title={title}
      feeds={[feed]}
      everyMs={every}
      empty={rows.length === 0 && '辖区内没有项目'}
      remark="近 7 日出勤率低的在前"
      narrows
    >
      <div className="wall-row wall-row-area wall-th">
        <span>区县</span>
        <i>出勤率 %</i>
        <b />
        <b>在线率%</b>
        <b>告警</b>
        <b>在建</b>
      </div>
      <Rolling rows={rows.length} fits={h * 4 - 2}>
        {rows.map((one) => (
          <button
            key={one.areaCode}
            type="button"
            className={`wall-row wall-row-area${area === one.areaCode ? ' wall-chosen' : ''}`}
            onClick={() => setArea(area === one.areaCode ? undefined : one.areaCode)}
          >
            <span>{one.name}</span>
            <Bar share={one.weekRate} tone={one.weekRate !== null && one.weekRate < 86 ? 'warning' : 'accent'} />
            <b>{said(one.weekRate, '%')}</b>
            <b>{said(one.onlineRate, '%')}</b>
            <b className={one.graveAlarms ? 'wall-alarm' : ''}>{one.openAlarms}</b>
            <b>{one.building}</b>
          </button>
        ))}
      </Rolling>
    </Panel>
  )
}

/** Sites in most need of attention. */
export function ProjectHealth({ title, params, h }: PanelProps) {
  const { area, open } = useWall()
  const every = seconds(60)
  const feed = useFeed('main', every)
  const rows = inArea(feed.data?.projects ?? [], area)
    .sort((a, b) => b.score - a.score)
    .slice(0, params.topN ?? 20)
  return (
    <Panel
      title={title}
      feeds={[feed]}
      everyMs={every}
      empty={rows.length === 0 && '没有项目'}
      remark={`${rows.length} 个项目，最需要关注的在前`}
      narrows
    >
      <div className="wall-row wall-row-health wall-th">
        <span>项目</span>
        <b>在册</b>
        <b>出勤率</b>
        <b>告警</b>
        <b>离线</b>
      </div>
      <Rolling rows={rows.length} fits={Math.floor((h * 164 - 100) / 54)}>
        {rows.map((one) => (
          <button
            key={one.projectCode}
            type="button"
            className="wall-row wall-row-health"
            onClick={() => open?.(`/gov/project?projectCode=${one.projectCode}`)}
          >
            <span>
              {one.name}
              <em>{one.why[0] ?? one.prjStatusName}</em>
            </span>
            <b>{one.onSite}</b>
            <b className={one.rate !== null && one.rate < 80 ? 'wall-warning' : ''}>
              {one.rate === null ? '--' : `${Math.round(one.rate)}%`}
            </b>
            <b className={one.graveAlarms ? 'wall-alarm' : ''}>{one.openAlarms}</b>
            <b className={one.online < one.devices ? 'wall-warning' : ''}>{one.devices - one.online}</b>
          </button>
        ))}
      </Rolling>
    </Panel>
  )
}
