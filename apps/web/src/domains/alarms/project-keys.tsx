import { DownOutlined, LockFilled, RightOutlined } from '@ant-design/icons'
import { startDrill } from '@zhugong/contract/alarms/endpoints'
import type { InputFor } from '@zhugong/contract/kit/endpoint'
import { createTrigger, deleteTrigger, listTriggers, ruleBase, updateTrigger } from '@zhugong/contract/rules/endpoints'
import { Dropdown, Switch, Tooltip } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { confirmDanger } from '#kit/ask.ts'
import { useAct } from '#kit/call.ts'
import { useCan, withCode } from '#kit/can.tsx'
import { RiskBadge, Tag } from '#kit/feedback.tsx'
import { hrefOf } from '#kit/page.tsx'
import { type Schedule, scheduleWords } from '../rules/public.tsx'
import { type KeyRow, originWords } from './effective.ts'
import { confirmStandard, differenceTag, type Exec, type PlanRow, reportedOf } from './project-words.tsx'

export type OpenCounts = ReadonlyMap<string, { count: number; level: number }>

interface Props {
  name: string
  devices: number
  /** Rows that match the current filter. */
  rows: readonly KeyRow[]
  /** Number of all rows and of enabled rows, regardless of the filter. */
  total: number
  enabled: number
  execs: readonly Exec[]
  plan: readonly PlanRow[]
  open: OpenCounts
  projectCode: string
  onChange: (row: KeyRow) => void
  onDrill: (row: KeyRow) => void
}

/** Alarm kinds of one device family with the rule in force for each on this site. */
export function KeyTable({ name, devices, rows, total, enabled, ...rest }: Props) {
  const [folded, setFolded] = useState(false)
  const open = rows.reduce((sum, row) => sum + (rest.open.get(row.id)?.count ?? 0), 0)
  return (
    <section className="alarm-family" aria-label={name}>
      <button type="button" className="zg-bare alarm-family-head" aria-expanded={!folded} onClick={() => setFolded(!folded)}>
        {folded ? <RightOutlined /> : <DownOutlined />}
        <b>{name}</b>
        <span className="zg-2">
          {devices} 台，{enabled} / {total} 种启用
        </span>
        {open > 0 && <Tag tone="danger">{open} 条未恢复</Tag>}
      </button>
      {!folded && (
        <table className="alarm-keys-table">
          <thead>
            <tr>
              <th className="key">告警</th>
              <th className="limit">生效阈值</th>
              <th className="source">来源与差异</th>
              <th className="told">通知对象</th>
              <th className="linked">联动</th>
              <th className="num open">未恢复</th>
              <th className="on">启用</th>
              <th className="acts">操作</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <Line key={row.id} row={row} {...rest} />
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}

function Line({
  row,
  execs,
  plan,
  open,
  projectCode,
  onChange,
  onDrill,
}: Omit<Props, 'name' | 'devices' | 'rows' | 'total' | 'enabled'> & { row: KeyRow }) {
  const maySet = useCan(withCode(updateTrigger, 'alarm.setting'), { projectCode })
  const mayRemove = useCan(deleteTrigger, { projectCode })
  const mayDrill = useCan(startDrill, { projectCode })
  const refreshes = [listTriggers, ruleBase]
  const create = useAct(createTrigger, { success: '已关闭，本项目不再报这种告警', refreshes })
  const update = useAct(updateTrigger, { success: '已更改', refreshes })
  const removal = useAct(deleteTrigger, { success: '已恢复标准', refreshes })
  const reported = reportedOf(row, execs, plan)
  const here = open.get(row.id)
  const { rule } = row
  const sentences = rule?.levels ?? []

  const turn = async () => {
    if (rule === undefined) {
      if (row.own) void update.run({ params: { id: row.own.id }, body: { off: false, enabled: true, version: row.own.version } })
      return
    }
    const yes = await confirmDanger({
      thing: `在本项目关闭 ${row.familyName} ${row.label}`,
      consequence: `${here ? `未恢复的 ${here.count} 条随之解除。` : ''}设备检修请用临时停用，到期自动恢复。${row.level === 1 ? '这是一级告警，请确认有替代措施。' : ''}`,
      verb: here ? `关闭，解除 ${here.count} 条` : '关闭告警',
      keep: '保持开启',
    })
    if (!yes) return
    if (row.own) void update.run({ params: { id: row.own.id }, body: { off: true, version: row.own.version } })
    else void create.run({ body: bodyFrom(row, projectCode, { off: true }) })
  }
  const standard = async () => {
    if (row.own && (await confirmStandard(row))) void removal.run({ params: { id: row.own.id } })
  }
  const more = [
    ...(mayDrill ? [{ key: 'drill', label: '演练', onClick: () => onDrill(row) }] : []),
    ...(row.own?.templateId
      ? [{ key: 'template', label: <Link to={hrefOf('/reg2_template', { id: row.own.templateId })}>查看企业模板</Link> }]
      : []),
    ...(row.own && mayRemove ? [{ key: 'standard', label: '恢复标准', onClick: () => void standard() }] : []),
    {
      key: 'rules',
      label: <Link to={hrefOf('/reg2_regulationManage', { family: row.family, alarmKey: row.alarmKey })}>相关规则</Link>,
    },
  ]
  const fixed = row.base === undefined || !row.expressible
  return (
    <tr className={rule ? '' : 'off'}>
      <td>
        <RiskBadge level={reported.level < 4 || rule ? reported.level : row.level} word={false} /> {row.label}
      </td>
      <td>
        {sentences.length === 0 ? (
          <span className="zg-2">{!row.expressible ? '本版本尚不能判定' : row.own?.off ? '本项目已关闭' : '已停用'}</span>
        ) : (
          sentences.map((level) => (
            <div key={level.level}>
              {sentences.length > 1 && <RiskBadge level={level.level} word={false} />} {level.text}
            </div>
          ))
        )}
        {rule?.schedule && <div className="zg-2">{scheduleWords(rule.schedule as Schedule)}</div>}
        {row.difference && row.difference !== 'same' && row.base && <div className="zg-2">标准：{row.base.summary}</div>}
      </td>
      <td>
        <span className="alarm-origin">
          {originWords[row.origin]}
          {differenceTag(row)}
          {row.locked && (
            <Tooltip title="平台锁定：本项目只能更严，不能放宽或关闭">
              <LockFilled aria-label="锁定，只能更严" />
            </Tooltip>
          )}
        </span>
        {row.narrower.length > 0 && (
          <div>
            <Link to={hrefOf('/reg2_regulationManage', { family: row.family, alarmKey: row.alarmKey })}>
              {originWords.device} {row.narrower.length} 条
            </Link>
          </div>
        )}
      </td>
      <td>
        {rule && (
          <>
            <span className={reported.nobody ? 'tone-danger' : ''}>
              {reported.receivers || <span className="zg-2">只记录</span>}
              {reported.nobody && '（有角色无人）'}
            </span>
            <div className="zg-2">
              {reported.isOwn ? '规则动作' : '等级默认'}
              {reported.quiet && `，${reported.quiet} 静默`}
              {reported.webhooks > 0 && `，推送 ${reported.webhooks} 处`}
            </div>
          </>
        )}
      </td>
      <td>{reported.linkage || <span className="zg-2">--</span>}</td>
      <td className="num">
        {here ? (
          <Link className="tone-danger" to={hrefOf('/alarm/record', { tab: 'active', family: row.family, alarmKey: row.alarmKey })}>
            {here.count}
          </Link>
        ) : (
          0
        )}
      </td>
      <td>
        <Tooltip
          title={row.locked && rule ? '平台锁定，不能关闭' : fixed ? '没有可用的规则' : rule === undefined && !row.own ? '平台已停用' : ''}
        >
          <Switch
            size="small"
            checked={rule !== undefined}
            aria-label={`${row.label} 启用`}
            disabled={!maySet || fixed || (rule !== undefined && row.locked) || (rule === undefined && !row.own)}
            onChange={() => void turn()}
          />
        </Tooltip>
      </td>
      <td>
        <span className="alarm-row-acts">
          {maySet && !fixed && (
            <button type="button" className="zg-bare zg-link" onClick={() => onChange(row)}>
              调整
            </button>
          )}
          <Dropdown menu={{ items: more }}>
            <button type="button" className="zg-bare zg-link" aria-label={`${row.label} 更多`}>
              更多
            </button>
          </Dropdown>
        </span>
      </td>
    </tr>
  )
}

type Body = NonNullable<InputFor<typeof createTrigger>['body']>

/** Request body for the site's own rule, prefilled from the rule in force. */
export function bodyFrom(row: KeyRow, projectCode: string, part: Partial<Body>): Body {
  const from = row.own ?? row.rule ?? row.base
  const {
    schedule = null,
    on = null,
    onlyWhen = null,
    maxGapSeconds,
    minConfidence,
    confirmSamples,
    daySeconds,
    noDataSeconds,
  } = from ?? {}
  return {
    name: `${row.familyName} ${row.label}`,
    family: row.family,
    alarmKey: row.alarmKey,
    projectCode,
    levels: plainLevels(row),
    schedule,
    on,
    onlyWhen,
    maxGapSeconds,
    minConfidence,
    confirmSamples,
    daySeconds,
    noDataSeconds,
    execIds: from?.execIds ?? [],
    ...part,
  }
}

/** Levels without their description texts, which the request does not accept. */
export const plainLevels = (row: KeyRow) => ((row.own ?? row.rule ?? row.base)?.levels ?? []).map(({ text: _, ...level }) => level)
