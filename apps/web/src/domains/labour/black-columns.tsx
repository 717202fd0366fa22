import type { companyBlackList, laborBlackList } from '@zhugong/contract/labour/black-lists'
import type { BlackRow } from '@zhugong/contract/labour/black-model'
import { Link } from 'react-router'
import type { useDicts } from '#kit/dicts.ts'
import { Tag } from '#kit/feedback.tsx'
import { hrefOf } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { BlackSpan, BlackState } from './black-words.tsx'

type Dicts = ReturnType<typeof useDicts>
export const hits = (e: BlackRow) => (e.hits ? <span className="tone-danger">{e.hits}</span> : 0)

/** Columns of a list of people. A site sees entries in force; reviewers see waiting ones. */
export function personColumns(
  dicts: Dicts,
  projects: readonly { code: string; name: string }[],
  { deciding }: { deciding: boolean },
): ColumnOf<typeof laborBlackList>[] {
  return [
    {
      key: 'name',
      width: 96,
      locked: true,
      sort: true,
      value: (e) => <Link to={hrefOf('/LaborBlackDetail', { id: e.id })}>{e.name}</Link>,
    },
    { key: 'idCardNumber', width: 172, value: (e) => e.idCardNumber },
    {
      key: 'reasonType',
      width: 168,
      filter: 'multi',
      options: dicts.options('blacklistReason'),
      value: (e) => e.reasonTypeName,
    },
    {
      key: 'scope',
      width: 120,
      filter: 'multi',
      options: dicts.options('blacklistScope'),
      value: (e) => <Tag icon={false}>{e.scopeName}</Tag>,
    },
    {
      key: 'source',
      width: 168,
      hidden: !deciding,
      filter: 'single',
      options: projects.map((p) => ({ value: p.code, label: p.name })),
      value: (e) => e.sourceProjectName ?? (e.full ? null : <span className="zg-2">不公开</span>),
    },
    { key: 'groupName', width: 148, hidden: !deciding, value: (e) => e.groupName },
    { key: 'issuer', width: 148, value: (e) => e.issuer },
    { key: 'startDate', width: 104, sort: true, filter: 'date-range', value: (e) => e.startDate },
    { key: 'endDate', width: 148, sort: true, filter: 'date-range', value: (e) => <BlackSpan entry={e} /> },
    { key: 'answerUntil', width: 104, hidden: !deciding, value: (e) => e.answerUntil },
    {
      key: 'status',
      width: 132,
      filter: 'multi',
      options: dicts.options('misconductState'),
      value: (e) => <BlackState entry={e} />,
    },
    {
      key: 'waitingDays',
      width: 96,
      align: 'right',
      sort: true,
      filter: 'numeric-range',
      hidden: !deciding,
      value: (e) => (e.waitingDays > 5 ? <span className="tone-warning">{e.waitingDays}</span> : e.waitingDays || null),
    },
    { key: 'hits', width: 88, align: 'right', sort: true, value: hits },
    { key: 'lastHit', width: 148, hidden: deciding, value: (e) => e.lastHit },
    {
      key: 'inPlace',
      width: 88,
      align: 'right',
      value: (e) => (e.effective && e.inPlace ? <span className="tone-danger">{e.inPlace}</span> : e.inPlace || null),
    },
  ]
}

export function companyColumns(dicts: Dicts): ColumnOf<typeof companyBlackList>[] {
  return [
    { key: 'name', width: 200, locked: true, sort: true, value: (e) => e.name },
    { key: 'corpCode', width: 172, value: (e) => e.corpCode },
    {
      key: 'reasonType',
      width: 188,
      filter: 'multi',
      options: dicts.options('corpBlacklistReason'),
      value: (e) => e.reasonTypeName,
    },
    { key: 'docNo', width: 148, value: (e) => e.docNo },
    { key: 'decideOrg', width: 148, value: (e) => e.decideOrg },
    {
      key: 'scope',
      width: 120,
      filter: 'multi',
      options: dicts.options('blacklistScope'),
      value: (e) => <Tag icon={false}>{e.scopeName}</Tag>,
    },
    { key: 'occurrenceDate', width: 104, hidden: true, value: (e) => e.occurrenceDate },
    { key: 'startDate', width: 104, sort: true, filter: 'date-range', value: (e) => e.startDate },
    { key: 'endDate', width: 148, sort: true, filter: 'date-range', value: (e) => <BlackSpan entry={e} /> },
    {
      key: 'status',
      width: 132,
      filter: 'multi',
      options: dicts.options('misconductState'),
      value: (e) => <BlackState entry={e} />,
    },
    {
      key: 'inPlace',
      width: 104,
      align: 'right',
      filter: 'numeric-range',
      value: (e) => (e.effective && e.inPlace ? <span className="tone-danger">{e.inPlace} 个</span> : e.inPlace || null),
    },
    { key: 'hits', width: 88, align: 'right', sort: true, value: hits },
  ]
}
