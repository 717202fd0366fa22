import type { BriefingRow, gangBriefingList, managerBriefingList } from '@zhugong/contract/briefings/calls'
import { managerKinds } from '@zhugong/contract/briefings/moves'
import { listTeams } from '@zhugong/contract/labour/teams'
import { useCall } from '#kit/call.ts'
import { useDicts } from '#kit/dicts.ts'
import { Tag } from '#kit/feedback.tsx'
import { useProjectCode } from '#kit/me.ts'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { DoubtTags, Signed, StateTag, stateOptions } from './briefing-words.tsx'

type Gang = ColumnOf<typeof gangBriefingList>
type Managers = ColumnOf<typeof managerBriefingList>
const mostTeams = 200

export function useBriefingColumns(of: 'gang'): Gang[]
export function useBriefingColumns(of: 'managers'): Managers[]
export function useBriefingColumns(of: 'gang' | 'managers'): Gang[] | Managers[] {
  const dicts = useDicts('workerType')
  const projectCode = useProjectCode()
  const isOne = projectCode !== '*'
  const teams = useCall(listTeams, { query: { projectCode, page: 1, size: mostTeams } }, { quiet: true, enabled: isOne && of === 'gang' })
  const head: Managers[] = [
    {
      key: 'name',
      width: 220,
      locked: true,
      sort: true,
      filter: 'text',
      value: (r) => (
        <>
          {r.name} {r.late && <Tag tone="warning">补录</Tag>}
        </>
      ),
    },
    { key: 'code', width: 170, weak: true, value: (r) => r.code ?? <span className="zg-2">草稿</span> },
    { key: 'projectName', width: 150, value: (r) => r.projectName },
  ]
  const tail: Managers[] = [
    { key: 'part', width: 150, filter: 'text', value: (r) => r.part },
    { key: 'discloser', width: 90, filter: 'text', value: (r) => r.discloser },
    { key: 'date', width: 110, sort: true, filter: 'date-range', value: (r) => r.date },
    { key: 'signed', width: 150, keeps: true, sort: true, filter: 'numeric-range', value: (r: BriefingRow) => <Signed row={r} /> },
    {
      key: 'bigProjectName',
      width: 150,
      weak: true,
      filter: 'single',
      filterKey: 'dangerous',
      options: [
        { value: 'true', label: '涉及危大工程' },
        { value: 'false', label: '不涉及' },
      ],
      value: (r) => r.bigProjectName,
    },
    {
      key: 'doubts',
      width: 150,
      keeps: true,
      filter: 'single',
      filterKey: 'doubtful',
      options: [
        { value: 'true', label: '存疑' },
        { value: 'false', label: '无疑问' },
      ],
      value: (r) => <DoubtTags row={r} />,
    },
    { key: 'state', width: 110, keeps: true, filter: 'multi', options: stateOptions, value: (r) => <StateTag row={r} /> },
  ]
  const shown = <C extends { key: string }>(all: C[]) => all.filter((column) => !(column.key === 'projectName' && isOne))
  if (of === 'managers') {
    const kinds = Object.entries(managerKinds).map(([value, label]) => ({ value, label }))
    return shown<Managers>([...head, { key: 'kind', width: 100, filter: 'multi', options: kinds, value: (r) => r.kindName }, ...tail])
  }
  const options = teams.data?.list.map((one) => ({ value: one.id, label: one.teamName })) ?? []
  const gang: Gang[] = [
    ...(head as Gang[]),
    { key: 'workType', width: 100, filter: 'tree-cascader', tree: dicts.tree('workerType'), value: (r) => r.workTypeName },
    isOne
      ? { key: 'teamName', width: 120, filter: 'multi', filterKey: 'team', options, value: (r) => r.teamName }
      : { key: 'teamName', width: 120, value: (r) => r.teamName },
    { key: 'corpName', width: 150, weak: true, value: (r) => r.corpName },
    ...(tail as Gang[]),
  ]
  return shown(gang)
}
