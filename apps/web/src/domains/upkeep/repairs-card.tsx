import type { MaintenanceRow } from '@zhugong/contract/upkeep/maintenance-row'
import { Link } from 'react-router'
import { Card, Tag } from '#kit/feedback.tsx'
import { hrefOf } from '#kit/page.tsx'
import { Thumb } from '#kit/viewers.tsx'
import { certWord, paths } from './upkeep-words.tsx'

export function PartList({ parts }: { parts: MaintenanceRow['parts'] }) {
  if (parts.length === 0) return <span className="zg-2">未更换部件</span>
  return (
    <ul className="zg-work-lines">
      {parts.map((one) => (
        <li key={`${one.name}${one.number}`}>
          {one.name} {one.model} <span className="zg-2">编号</span> {one.number ?? '--'} ×{one.count}{' '}
          {one.certificates.length === 0 ? (
            <Tag tone="warning">无合格证</Tag>
          ) : (
            one.certificates.map((src) => <Thumb key={src} src={src} name={`${one.name}合格证`} width={48} height={36} />)
          )}
        </li>
      ))}
    </ul>
  )
}

export function PeopleList({ people }: { people: MaintenanceRow['maintainers'] }) {
  if (people.length === 0) return <span className="zg-2">--</span>
  return (
    <ul className="zg-work-lines">
      {people.map((one) => (
        <li key={`${one.name}${one.certNo}`}>
          {one.name} <span className="zg-2">{one.certNo ? `证号 ${one.certNo}，至 ${one.certEnd ?? '长期'}` : '无证书'}</span>{' '}
          <Tag tone={one.verified ? 'fine' : one.verified === null ? 'neutral' : 'danger'}>{certWord(one.verified)}</Tag>
        </li>
      ))}
    </ul>
  )
}

/** Repairs written from the replies: what was replaced, by whom. */
export function RepairsCard({ rows }: { rows: readonly MaintenanceRow[] }) {
  if (rows.length === 0) return null
  return (
    <Card title="维修记录" remark="由整改回复写入设备维保">
      {rows.map((one) => (
        <div key={one.id} className="upkeep-repair">
          <p>
            <Link to={hrefOf(paths.maintainDetail, { id: one.id })}>{one.code}</Link> {one.typeName}{' '}
            <span className="zg-2">
              {one.maintainDate} {one.maintainCorp}
            </span>
          </p>
          <p>{one.content}</p>
          <PartList parts={one.parts} />
          <PeopleList people={one.maintainers} />
        </div>
      ))}
    </Card>
  )
}
