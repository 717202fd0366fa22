import type { triggerList } from '@zhugong/contract/rules/lists'
import { scopeKinds, type TriggerRow } from '@zhugong/contract/rules/model'
import { Tooltip } from 'antd'
import { Link } from 'react-router'
import { RiskBadge, Tag } from '#kit/feedback.tsx'
import { thousands, time } from '#kit/format.ts'
import type { Option } from '#kit/list-state.ts'
import type { ColumnOf } from '#kit/table-columns.tsx'

/** Percentage of true alarms below which a rule is marked as unreliable. */
export const lowPrecision = 60
const noSource = '无数据源'

interface TriggerColumnsProps {
  projectCode: string
  families: readonly Option[]
  alarms: readonly Option[]
  /** Edit link of a rule; undefined without the permission. */
  href: (row: TriggerRow) => string | undefined
  onStory: (row: TriggerRow) => void
  /** Opens the list of devices that a rule cannot evaluate. */
  onUnjudged: (ruleId: string) => void
}

/** At most two lines; the whole text is in the drawer and the tooltip. */
const Summary = ({ text }: { text: string }) => (
  <span className="rule-two-lines" title={text}>
    {text}
  </span>
)

const name = (row: TriggerRow, to: string | undefined) => (to === undefined ? row.name : <Link to={to}>{row.name}</Link>)

export const triggerColumns = ({
  projectCode,
  families,
  alarms,
  href,
  onStory,
  onUnjudged,
}: TriggerColumnsProps): ColumnOf<typeof triggerList>[] => [
  {
    key: 'name',
    width: 116,
    locked: true,
    wrap: true,
    value: (row) => (
      <span>
        {name(row, href(row))}
        {row.locked && <div className="zg-2">平台锁定</div>}
      </span>
    ),
  },
  {
    key: 'family',
    width: 100,
    hidden: true,
    filter: 'multi',
    options: families,
    value: (row) => row.familyName,
  },
  {
    key: 'alarmKey',
    width: 120,
    hidden: true,
    filter: 'multi',
    options: alarms,
    value: (row) => row.alarmLabel,
  },
  {
    key: 'summary',
    width: 260,
    wrap: true,
    value: (row) => <Summary text={row.execNames.length > 0 ? `${row.summary}；${row.execNames.join('、')}` : row.summary} />,
  },
  {
    key: 'level',
    width: 68,
    filter: 'multi',
    options: [1, 2, 3, 4].map((l) => ({ value: String(l), label: `${'一二三四'[l - 1]}级` })),
    value: (row) => (
      <span className="zg-inline zg-gap-4 zg-wrap">
        {row.levels.map((l) => (
          <RiskBadge key={l.level} level={l.level} word={false} />
        ))}
      </span>
    ),
  },
  {
    key: 'scope',
    width: 84,
    wrap: true,
    filter: 'multi',
    options: Object.entries(scopeKinds).map(([value, label]) => ({ value, label })),
    value: (row) => (
      <span>
        {projectCode === '*' && row.projectName ? row.projectName : scopeKinds[row.scope.kind]}{' '}
        <span className={row.coveredDevices === 0 ? 'tone-warning' : 'zg-2'}>
          {row.coveredDevices === 0 ? '无设备' : `${thousands(row.coveredDevices)} 台`}
        </span>
        {row.overriddenBy > 0 && (
          <Tooltip title="同一告警另有范围更窄的规则，在它们的设备上以更窄的为准">
            <button type="button" className="zg-bare zg-link" onClick={() => onStory(row)}>
              {row.overriddenBy} 条更窄
            </button>
          </Tooltip>
        )}
      </span>
    ),
  },
  {
    key: 'coveredDevices',
    width: 88,
    hidden: true,
    align: 'right',
    sort: true,
    filter: 'numeric-range',
    value: (row) => thousands(row.coveredDevices),
  },
  {
    key: 'lastReason',
    width: 100,
    wrap: true,
    value: (row) =>
      row.lastEvaluated ? (
        <span>
          {row.lastReason === noSource ? <span className="tone-warning">{noSource}</span> : (row.lastReason ?? '')}
          {row.unjudged > 0 && (
            <button type="button" className="zg-bare zg-link tone-warning" onClick={() => onUnjudged(row.id)}>
              {row.unjudged} 台不能判定
            </button>
          )}
          <div className="zg-2">{time(row.lastEvaluated).slice(5, 16)}</div>
        </span>
      ) : row.enabled ? (
        <span className="tone-warning">从未判定</span>
      ) : null,
  },
  {
    key: 'fired30d',
    width: 96,
    sort: true,
    filter: 'numeric-range',
    value: (row) => (
      <span>
        {thousands(row.fired30d)} 次
        {row.precision !== null && (
          <div className={row.precision < lowPrecision ? 'tone-danger' : 'zg-2'}>准确 {row.precision.toFixed(0)} %</div>
        )}
      </span>
    ),
  },
  {
    key: 'precision',
    width: 84,
    hidden: true,
    align: 'right',
    sort: true,
    filter: 'numeric-range',
    value: (row) => (row.precision === null ? null : `${row.precision.toFixed(0)} %`),
  },
  {
    key: 'enabled',
    width: 74,
    filter: 'single',
    options: [
      { value: 'true', label: '已启用' },
      { value: 'false', label: '已停用' },
    ],
    value: (row) => (
      <Tag tone={row.enabled && !row.off ? 'fine' : 'neutral'} icon={false}>
        {row.off ? '关闭' : row.enabled ? '已启用' : '已停用'}
      </Tag>
    ),
  },
  { key: 'version', width: 64, hidden: true, align: 'right', value: (row) => row.version },
  {
    key: 'updateTime',
    width: 152,
    hidden: true,
    sort: true,
    filter: 'date-range',
    value: (row) => time(row.updateTime),
  },
]
