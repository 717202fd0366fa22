import {
  BellFilled,
  CheckCircleFilled,
  CheckOutlined,
  CloseOutlined,
  EyeInvisibleOutlined,
  MessageFilled,
  RiseOutlined,
  SoundFilled,
  ThunderboltFilled,
  UserOutlined,
} from '@ant-design/icons'
import { type AlarmAction, alarmMoves } from '@zhugong/contract/alarms/codes'
import { actOnAlarm, getAlarm, listAlarms } from '@zhugong/contract/alarms/endpoints'
import { listExecLog } from '@zhugong/contract/notify/endpoints'
import { getFamily } from '@zhugong/contract/telemetry/endpoints'
import type { FamilyView } from '@zhugong/contract/telemetry/model'
import { Button, Input, Segmented } from 'antd'
import { type ReactNode, useState } from 'react'
import { askReason } from '#kit/ask.ts'
import { refresh, useAct, useCall } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { Card, DetailSkeleton, ErrorPanel, RiskBadge } from '#kit/feedback.tsx'
import { day, span, time, timeOfDay } from '#kit/format.ts'
import { Upload } from '#kit/inputs.tsx'
import { useNow } from '#kit/live.ts'
import { useGo } from '#kit/page.tsx'
import { Thumb } from '#kit/viewers.tsx'
import { LinkageNow } from '../rules/public.tsx'
import './alarms.css'
import type { AlarmFile } from './alarm-drawer.tsx'
import { ActiveTag, lasted, MarkTags, peakWords, StateTag } from './alarm-words.tsx'
import { EvidenceChart } from './evidence-chart.tsx'
import { escalationWords, type Moment, noticeMoments } from './timeline.ts'

const livePages: Readonly<Record<string, string>> = { towerCrane: '/tower/monitor', environment: '/monitor/environmental' }

export function AlarmDetail({ id, onClose, drawing }: { id: string; onClose: () => void; drawing?: (file: AlarmFile) => ReactNode }) {
  const { data: file, error, isPending, refetch } = useCall(getAlarm, { params: { id }, query: {} }, { quiet: true, everyMs: 15_000 })
  const family = useCall(
    getFamily,
    { params: { key: file?.family ?? '' } },
    { enabled: file !== undefined, quiet: true, staleMs: 3_600_000 },
  )
  const now = useNow(1000)
  const go = useGo()
  if (isPending || !file) {
    return (
      <>
        <header className="alarm-head">
          <Close onClose={onClose} />
        </header>
        {error ? <ErrorPanel error={error} retry={refetch} /> : <DetailSkeleton />}
      </>
    )
  }
  const livePage = livePages[file.family]
  const peak = peakWords(file)
  return (
    <>
      <header className="alarm-head">
        <RiskBadge level={file.level} />
        <h2>{file.alarmLabel}</h2>
        <ActiveTag row={file} />
        <StateTag state={file.state} />
        <MarkTags row={file} />
        <dl className="zg-facts">
          <Fact label="对象" value={`${file.deviceName}${file.point ? ` · ${file.point}` : ''}`} />
          <Fact label="开始" value={time(file.startTime)} />
          <Fact label="持续" value={lasted(file, now)} />
          {peak && <Fact label="峰值" value={peak} />}
          {file.reopened > 0 && <Fact label="重复触发" value={`${file.reopened} 次`} />}
        </dl>
        <span className="right">
          {livePage && file.active && (
            <Button
              onClick={() => {
                onClose()
                go(livePage, { deviceId: file.deviceId })
              }}
            >
              打开实时页
            </Button>
          )}
          <Close onClose={onClose} />
        </span>
      </header>
      <div className="alarm-body">
        <div className="alarm-main">
          <EvidenceChart file={file} family={family.data} />
          {drawing?.(file)}
          <ValuesUsed file={file} family={family.data} />
        </div>
        <div className="alarm-side">
          <LinkageNow projectCode={file.projectCode} alarmId={file.id} />
          <Timeline file={file} />
          <Handling key={`${file.state}${file.version}`} file={file} onDone={() => refresh(listAlarms, getAlarm)} />
        </div>
      </div>
    </>
  )
}

function Close({ onClose }: { onClose: () => void }) {
  return <Button type="text" icon={<CloseOutlined />} aria-label="关闭" onClick={onClose} />
}

function Fact({ label, value }: { label: string; value: string }) {
  return (
    <div className="zg-fact">
      <dt>{label}</dt>
      <dd>{value}</dd>
    </div>
  )
}

function shown(value: unknown, field: FamilyView['metrics'][number] | undefined): string {
  if (value === null || value === undefined || value === '') return '--'
  if (field?.values) return field.values[String(value)] ?? String(value)
  if (typeof value === 'boolean') return value ? '是' : '否'
  if (typeof value === 'number')
    return `${field?.precision === undefined ? Number(value.toFixed(3)) : value.toFixed(field.precision)}${field?.unit ? ` ${field.unit}` : ''}`
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

const shownValues = 10
const otherNames: Readonly<Record<string, string>> = { limit: '限值', value: '判断值', window: '统计时长', param: '参数' }

/** The readings the rule judged by, so that nobody has to argue from memory. */
function ValuesUsed({ file, family }: { file: AlarmFile; family: FamilyView | undefined }) {
  const [all, setAll] = useState(false)
  const rank = (key: string) => (key === file.metric ? 0 : key === 'limit' ? 1 : typeof file.valuesUsed[key] === 'boolean' ? 3 : 2)
  const values = Object.entries(file.valuesUsed)
    .filter(([key, value]) => !/IdCard|^alarmBits$/.test(key) && value !== null)
    .sort(([a], [b]) => rank(a) - rank(b))
  const rule = file.ruleName
    ? `规则 ${file.ruleName}${file.ruleVersion === null ? '' : ` v${file.ruleVersion}`}，核对时以此为准`
    : '由设备标志触发，没有平台规则'
  return (
    <Card title="触发时的值" remark={rule} flush>
      {values.length === 0 ? (
        <div className="zg-state" style={{ minHeight: 60 }}>
          触发时没有随附读数
        </div>
      ) : (
        <dl className="alarm-values">
          {(all ? values : values.slice(0, shownValues)).map(([key, value]) => {
            const field = family?.metrics.find((one) => one.key === key) ?? family?.params.find((one) => one.key === key)
            return (
              <div key={key} className={key === file.metric ? 'hit' : ''}>
                <dt>{field?.label ?? otherNames[key] ?? key}</dt>
                <dd>{shown(value, field)}</dd>
              </div>
            )
          })}
          <div>
            <dt>条件</dt>
            <dd>{file.thresholdText || '--'}</dd>
          </div>
          <div>
            <dt>来源</dt>
            <dd>{file.sources.map((one) => ({ platform: '平台规则', device: '设备上报' })[one] ?? one).join('、') || '--'}</dd>
          </div>
          {values.length > shownValues && (
            <button type="button" className="zg-bare zg-link" style={{ padding: '7px 12px' }} onClick={() => setAll(!all)}>
              {all ? '收起' : `显示全部 ${values.length} 项`}
            </button>
          )}
        </dl>
      )}
    </Card>
  )
}

const logIcons: Readonly<Record<string, [ReactNode, string]>> = {
  open: [<BellFilled key="i" />, '#D9730D'],
  upgrade: [<RiseOutlined key="i" />, '#C62828'],
  downgrade: [<RiseOutlined key="i" rotate={90} />, '#D9730D'],
  clear: [<CheckOutlined key="i" />, '#1B7A3D'],
  ack: [<UserOutlined key="i" />, '#1558D6'],
  handle: [<CheckCircleFilled key="i" />, '#1558D6'],
  close: [<CheckCircleFilled key="i" />, '#5B6576'],
  false: [<EyeInvisibleOutlined key="i" />, '#5B6576'],
  ignore: [<EyeInvisibleOutlined key="i" />, '#5B6576'],
  notice: [<MessageFilled key="i" />, '#1558D6'],
  urge: [<SoundFilled key="i" />, '#C62828'],
  escalate: [<RiseOutlined key="i" />, '#9A5B00'],
  linkage: [<ThunderboltFilled key="i" />, '#6B3FA0'],
}

function Timeline({ file }: { file: AlarmFile }) {
  const maySee = useCan(listExecLog)
  const notices = useCall(
    listExecLog,
    { query: { projectCode: file.projectCode, alarmId: file.id, size: 200 } },
    { enabled: maySee, quiet: true, everyMs: 15_000, keepPrevious: true },
  )
  const own = file.log.map((one): Moment => {
    const text = told(one)
    return {
      id: one.id,
      time: one.time,
      event: one.event,
      title: headline(one.event, one.byName),
      lines: text ? [{ text, bad: /失败|无应答|未被执行/.test(text) }] : [],
    }
  })
  const log = [...own, ...noticeMoments(notices.data?.list ?? [])].sort((a, b) => a.time - b.time)
  const sameDay = new Set(log.map((one) => day(one.time))).size <= 1
  return (
    <Card title="经过" remark={`${log.length} 步，全部留痕`}>
      <ol className="alarm-line">
        {log.map((one) => {
          const [icon, color] = logIcons[one.event] ?? logIcons.notice ?? [null, '#1558D6']
          const bad = one.lines.length > 0 && one.lines.every((line) => line.bad)
          return (
            <li key={one.id}>
              <time title={time(one.time)}>{sameDay ? timeOfDay(one.time) : time(one.time).slice(5, 16)}</time>
              <i style={{ background: bad ? '#C62828' : color }}>{icon}</i>
              <div>
                <b>{one.title}</b>
                {one.lines.map((line) => (
                  <span key={line.text} className={line.bad ? 'tone-danger' : ''}>
                    {line.text}
                  </span>
                ))}
              </div>
            </li>
          )
        })}
        <NextRung escalation={file.escalation} />
      </ol>
    </Card>
  )
}

/** What comes next when nobody takes it up. */
function NextRung({ escalation }: { escalation: AlarmFile['escalation'] }) {
  const now = useNow(1000)
  const next = escalationWords(escalation, now)
  if (!next || !escalation) return null
  return (
    <li className="next">
      <time title={time(escalation.at)}>{timeOfDay(escalation.at)}</time>
      <i>
        <RiseOutlined />
      </i>
      <div>
        <b>将升级到 {next.who}</b>
        <span className={next.soon ? 'tone-danger' : ''}>{next.when}，有人接单即停</span>
      </div>
    </li>
  )
}

/** What the headline does not say already. */
function told({ event, text }: { event: string; text: string }): string {
  const verb = event in alarmMoves ? alarmMoves[event as AlarmAction].label : ''
  return verb && text.startsWith(verb) ? text.slice(verb.length).replace(/^：/, '') : text
}

function headline(event: string, byName: string | null): string {
  const move = event in alarmMoves ? alarmMoves[event as AlarmAction].label : undefined
  if (move) return byName ? `${byName} ${move}` : move
  const words: Record<string, string> = {
    open: '触发告警',
    upgrade: '升级',
    downgrade: '降级',
    clear: '条件解除',
    notice: '通知',
    linkage: '设备联动',
  }
  return words[event] ?? (byName || '记录')
}

type Verdict = 'handle' | 'false' | 'ignore'
const verdicts: Record<Verdict, { label: string; ask: string; hint: string }> = {
  handle: { label: '已处理', ask: '措施', hint: '做了什么、由谁负责，至少 5 个字' },
  false: { label: '误报', ask: '误报原因', hint: '为什么不是真的，用于改进规则' },
  ignore: { label: '忽略', ask: '忽略原因', hint: '为什么不需要处理' },
}
const isVerdict = (action: AlarmAction): action is Verdict => action in verdicts

/** What this person may do now, and nothing else; one primary button. */
function Handling({ file, onDone }: { file: AlarmFile; onDone: () => void }) {
  const act = useAct(actOnAlarm, { success: '已提交', refreshes: [listAlarms, getAlarm], onDone })
  const may = (action: AlarmAction) => file.actions.includes(action)
  const choices = file.actions.filter(isVerdict)
  const [verdict, setVerdict] = useState<Verdict>(choices[0] ?? 'handle')
  const [writing, setWriting] = useState(may('handle') && (file.state === 'acknowledged' || !may('ack')))
  const [text, setText] = useState('')
  const [photos, setPhotos] = useState<string[]>([])
  const [tried, setTried] = useState(false)
  const { ask, hint } = verdicts[verdict]
  const least = verdict === 'handle' ? 5 : 2
  const needsPhoto = verdict === 'handle' && file.maxLevel <= 2
  const textProblem = text.trim().length < least ? `${ask}至少 ${least} 个字` : undefined
  const photoProblem = needsPhoto && photos.length === 0 ? '一级和二级告警须附现场照片' : undefined
  const send = (action: AlarmAction, more: { measure?: string; reason?: string; photos?: string[] } = {}) =>
    act.run({ params: { id: file.id }, query: { projectCode: file.projectCode }, body: { action, version: file.version, ...more } })
  const submit = () => {
    setTried(true)
    if (textProblem || photoProblem) return
    void send(verdict, verdict === 'handle' ? { measure: text.trim(), photos } : { reason: text.trim() })
  }
  const urge = async () => {
    const reason = await askReason(`督办 ${file.deviceName} ${file.alarmLabel}`, '要求与期限')
    if (reason) void send('urge', { reason })
  }
  const remark = file.handlerName
    ? `${file.state === 'acknowledged' ? '接单人' : '处理人'} ${file.handlerName}${file.handleTime ? `，${time(file.handleTime)}` : ''}`
    : undefined
  return (
    <Card title="处理" remark={remark}>
      {(file.measure || file.photos.length > 0) && (
        <div className="alarm-done">
          {file.measure && <p>{file.measure}</p>}
          <div style={{ display: 'flex', gap: 8, flexWrap: 'wrap' }}>
            {file.photos.map((one) => (
              <Thumb key={one} src={one} name="处置照片" width={72} height={54} />
            ))}
          </div>
        </div>
      )}
      {choices.length > 0 && writing && (
        <div className="alarm-form">
          {choices.length > 1 && (
            <Segmented
              block
              value={verdict}
              options={choices.map((value) => ({ value, label: verdicts[value].label }))}
              onChange={setVerdict}
            />
          )}
          <label className="zg-label" htmlFor="alarm-text">
            {ask}
            <span className="must" aria-hidden="true">
              *
            </span>
          </label>
          <Input.TextArea
            id="alarm-text"
            rows={3}
            maxLength={500}
            placeholder={hint}
            value={text}
            {...(tried && textProblem ? { status: 'error' as const } : {})}
            onChange={(event) => setText(event.target.value)}
          />
          {tried && textProblem && <small className="tone-danger">{textProblem}</small>}
          {verdict === 'handle' && (
            <>
              <label className="zg-label" htmlFor="alarm-photos">
                现场照片
                {needsPhoto && (
                  <span className="must" aria-hidden="true">
                    *
                  </span>
                )}
              </label>
              <Upload id="alarm-photos" value={photos} onChange={setPhotos} max={6} />
              {tried && photoProblem && <small className="tone-danger">{photoProblem}</small>}
            </>
          )}
        </div>
      )}
      {file.state === 'handled' && file.active && (
        <p className="zg-2" style={{ marginBottom: 8 }}>
          条件恢复后可以关闭
        </p>
      )}
      <div className="alarm-acts">
        {may('ack') && !writing ? (
          <>
            <Button type="primary" size="large" block loading={act.running} onClick={() => void send('ack')}>
              接单
            </Button>
            {choices.length > 0 && (
              <Button size="large" onClick={() => setWriting(true)}>
                直接处理
              </Button>
            )}
          </>
        ) : writing ? (
          <Button type="primary" size="large" block loading={act.running} onClick={submit}>
            提交处理
          </Button>
        ) : may('close') ? (
          <Button type="primary" size="large" block loading={act.running} onClick={() => void send('close')}>
            关闭告警
          </Button>
        ) : may('urge') ? (
          <Button type="primary" size="large" block loading={act.running} onClick={() => void urge()}>
            督办
          </Button>
        ) : (
          !may('reopen') &&
          choices.length === 0 && <p className="zg-2">{file.state === 'open' ? '等待项目人员接单' : '处理已结束，可查看全部经过'}</p>
        )}
        {!writing && !may('handle') && choices.includes('false') && (
          <Button size="large" onClick={() => setWriting(true)}>
            标记误报
          </Button>
        )}
        {may('reopen') && (
          <Button
            size="large"
            loading={act.running}
            onClick={async () => {
              const reason = await askReason('重新打开告警', '原因')
              if (reason) void send('reopen', { reason })
            }}
          >
            重新打开
          </Button>
        )}
        {may('urge') && (choices.length > 0 || may('close')) && (
          <Button size="large" onClick={() => void urge()}>
            督办
          </Button>
        )}
      </div>
      {file.state === 'open' && !may('ack') && file.active && (
        <p className="zg-2" style={{ marginTop: 8 }}>
          已持续 {span(Date.now() - file.startTime)}，还没有人接单
        </p>
      )}
    </Card>
  )
}
