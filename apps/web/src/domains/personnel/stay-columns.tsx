import { stations, workRoles } from '@zhugong/contract/labour/codes'
import { genders } from '@zhugong/contract/personnel/codes'
import type { stayList } from '@zhugong/contract/personnel/people'
import { Link } from 'react-router'
import { day, phone, time } from '#kit/format.ts'
import type { Option } from '#kit/list-state.ts'
import { hrefOf } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { Face } from './face.tsx'
import { ConditionMarks, certOptions, conditionOptions, FirstIn, formalOptions, GenderAge, LicenceWord, StayTag } from './words.tsx'

/** Columns of the list; the project is shown if there are several. */
export const stayColumns = ({
  trades,
  teams,
  corps,
  many,
  left,
}: {
  trades: readonly Option[]
  teams: readonly Option[]
  corps: readonly Option[]
  many: boolean
  /** Columns of exited people: exit date and reason first. */
  left: boolean
}): ColumnOf<typeof stayList>[] => [
  {
    key: 'name',
    width: 100,
    locked: true,
    filter: 'text',
    value: (r) => (
      <span className="per-face-name">
        <Face src={r.photo} size={20} />
        <Link to={hrefOf('/personListDetails', { id: r.id, workerId: r.workerId })}>{r.name}</Link>
      </span>
    ),
  },
  {
    key: 'genderAge',
    width: 86,
    weak: true,
    sort: 'age',
    filter: 'numeric-range',
    filterKey: 'age',
    value: (r) => <GenderAge gender={r.gender} age={r.age} />,
  },
  { key: 'workType', width: 84, filter: 'multi', options: trades, value: (r) => r.workTypeName },
  {
    key: 'teamId',
    width: 84,
    filter: 'single',
    options: teams,
    value: (r) => (r.isTeamLeader ? `${r.teamName} · 班组长` : (r.teamName ?? '--')),
  },
  { key: 'idCardNumber', width: 142, weak: true, filter: 'text', value: (r) => <span className="zg-num">{r.idCardNumber}</span> },
  { key: 'entryTime', width: 102, sort: true, filter: 'date-range', value: (r) => day(r.entryTime) },
  {
    key: 'firstIn',
    width: 86,
    filter: 'single',
    options: [
      { value: 'in', label: '已入场' },
      { value: 'out', label: '未入场' },
      { value: 'late', label: '迟到' },
    ],
    value: (r) => <FirstIn row={r} />,
  },
  { key: 'certState', width: 80, filter: 'multi', options: certOptions, value: (r) => <LicenceWord row={r} /> },
  {
    key: 'formalStatus',
    width: 78,
    locked: true,
    sort: true,
    filter: 'multi',
    options: formalOptions,
    value: (r) => <StayTag formalStatus={r.formalStatus} stationed={r.stationed} />,
  },
  {
    key: 'missing',
    width: 176,
    hidden: true,
    filter: 'checkbox-empty',
    options: conditionOptions,
    value: (r) => <ConditionMarks missing={r.missing} />,
  },
  { key: 'cellPhone', width: 120, hidden: true, filter: 'text', value: (r) => phone(r.cellPhone) },
  { key: 'corpCode', width: 180, hidden: true, filter: 'single', options: corps, value: (r) => r.corpName },
  { key: 'projectName', width: 200, hidden: !many, value: (r) => r.projectName },
  {
    key: 'gender',
    width: 64,
    hidden: true,
    filter: 'single',
    options: [
      { value: '1', label: '男' },
      { value: '2', label: '女' },
    ],
    value: (r) => (r.gender === genders.female ? '女' : '男'),
  },
  { key: 'age', width: 72, hidden: true, sort: true, value: (r) => r.age },
  {
    key: 'workRole',
    width: 96,
    hidden: true,
    filter: 'single',
    options: [
      { value: '20', label: '建筑工人' },
      { value: '10', label: '管理人员' },
    ],
    value: (r) => (r.workRole === workRoles.manager ? '管理人员' : '建筑工人'),
  },
  {
    key: 'hasContract',
    width: 100,
    hidden: true,
    filter: 'single',
    options: [
      { value: '1', label: '有效' },
      { value: '0', label: '无有效合同' },
    ],
    value: (r) => (r.hasContract ? '有效' : <span className="tone-warning">无有效合同</span>),
  },
  {
    key: 'attendEnabled',
    width: 84,
    hidden: true,
    filter: 'single',
    options: [
      { value: '1', label: '已授权' },
      { value: '0', label: '未授权' },
    ],
    value: (r) => (r.attendEnabled ? '已授权' : '未授权'),
  },
  { key: 'lastPass', width: 152, hidden: true, filter: 'datetime-range', value: (r) => time(r.lastPass) },
  { key: 'exitTime', width: 112, hidden: !left, sort: true, filter: 'date-range', value: (r) => day(r.exitTime) },
  {
    key: 'stationed',
    width: left ? 180 : 84,
    hidden: !left,
    filter: 'single',
    options: [
      { value: '1', label: '进场' },
      { value: '2', label: '退场' },
    ],
    value: (r) => (r.stationed === stations.present ? '进场' : `退场，${r.exitReasonName ?? '原因未填'}`),
  },
]
