import { type CertDueRow, dueKinds, dueStates, type Urgency, urgencies } from '@zhugong/contract/personnel/certificate-model'
import type { certDueList } from '@zhugong/contract/personnel/certificates'
import { Link } from 'react-router'
import { Tag, type Tone } from '#kit/feedback.tsx'
import { time } from '#kit/format.ts'
import type { Option } from '#kit/list-state.ts'
import { hrefOf } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'

const urgencyTones: Record<Urgency, Tone> = { missing: 'danger', expired: 'danger', '30': 'warning', '60': 'neutral', '90': 'neutral' }
const stateTones: Record<CertDueRow['state'], Tone> = { open: 'danger', reminded: 'warning', review: 'running', ignored: 'neutral' }
const options = (words: Readonly<Record<string, string>>) => Object.entries(words).map(([value, label]) => ({ value, label }))

/** Whether the only certificate for the trade is still waiting for review. */
const firstInReview = (r: CertDueRow) => r.urgency === 'missing' && r.state === 'review'

interface CertDueColumnsProps {
  workTypes: ColumnOf<typeof certDueList>['tree']
  corps: readonly Option[]
  teams: readonly Option[]
  /** Whether the list covers several sites. */
  many: boolean
}

export const certDueColumns = ({ workTypes, corps, teams, many }: CertDueColumnsProps): ColumnOf<typeof certDueList>[] => [
  {
    key: 'urgency',
    width: 88,
    locked: true,
    filter: 'multi',
    options: options(urgencies),
    value: (r) =>
      firstInReview(r) ? (
        <Tag tone="running" icon={false}>
          待审核
        </Tag>
      ) : (
        <Tag tone={urgencyTones[r.urgency]} icon={r.urgency === 'expired' || r.urgency === 'missing' ? undefined : false}>
          {urgencies[r.urgency]}
        </Tag>
      ),
  },
  {
    key: 'name',
    width: 80,
    locked: true,
    filter: 'text',
    sort: true,
    value: (r) => <Link to={hrefOf('/personnelSystem/info/certificate', { id: r.workerId })}>{r.name}</Link>,
  },
  { key: 'workType', width: 96, filter: 'tree-cascader', tree: workTypes, value: (r) => r.workTypeName },
  { key: 'teamId', width: 110, filter: 'single', options: teams, value: (r) => r.teamName },
  { key: 'corpCode', width: 170, hidden: !many, filter: 'single', options: corps, value: (r) => r.corpName },
  { key: 'projectName', width: 170, hidden: !many, weak: true, value: (r) => r.projectName },
  { key: 'dueKind', width: 110, hidden: true, filter: 'multi', options: options(dueKinds), value: (r) => dueKinds[r.kind] },
  {
    key: 'title',
    width: 190,
    filter: 'text',
    value: (r) => (
      <span title={r.required ? '本工种或岗位要求的证书' : '本工种不要求，到期不影响进场条件'}>
        {r.title}
        {!r.required && <span className="zg-2"> · 非必需</span>}
      </span>
    ),
  },
  { key: 'certNo', width: 130, weak: true, filter: 'text', value: (r) => <span className="zg-num">{r.certNo}</span> },
  { key: 'validEnd', width: 100, sort: true, filter: 'date-range', value: (r) => r.validEnd },
  {
    key: 'daysLeft',
    width: 96,
    align: 'right',
    filter: 'numeric-range',
    value: (r) => (firstInReview(r) ? <span className="zg-2">待审核</span> : <DaysLeft days={r.daysLeft} />),
  },
  { key: 'lastPass', width: 152, filter: 'date-range', value: (r) => <LastPass row={r} /> },
  {
    key: 'attendEnabled',
    width: 76,
    filter: 'single',
    options: [
      { value: '1', label: '已授权' },
      { value: '0', label: '未授权' },
    ],
    value: (r) => (r.attendEnabled ? '已授权' : <span className="zg-2">未授权</span>),
  },
  {
    key: 'dueState',
    width: 110,
    filter: 'multi',
    options: options(dueStates),
    value: (r) => (
      <span title={r.ignored ? `${r.ignored.by} ${r.ignored.time}：${r.ignored.reason}` : r.reminded.join('\n')}>
        <Tag tone={stateTones[r.state]} icon={false}>
          {dueStates[r.state]}
          {r.state === 'reminded' && ` ${r.reminded.length} 次`}
        </Tag>
      </span>
    ),
  },
  { key: 'reminded', width: 152, hidden: true, value: (r) => r.reminded.at(-1) },
]

function DaysLeft({ days }: { days: number | null }) {
  if (days === null) return <span className="tone-danger">无证</span>
  if (days < 0) return <b className="tone-danger">过期 {-days} 天</b>
  return <span className={days <= 30 ? 'tone-warning' : undefined}>{days === 0 ? '今天' : `${days} 天`}</span>
}

/** Last passage at a gate, highlighted if the certificate had expired by then. */
function LastPass({ row }: { row: CertDueRow }) {
  if (!row.lastPass) return <span className="zg-2">--</span>
  const after = row.validEnd !== null && row.lastPass.slice(0, 10) > row.validEnd
  return after ? <span className="tone-danger">{time(row.lastPass)}</span> : time(row.lastPass)
}
