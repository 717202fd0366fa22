import { isOn } from '@zhugong/contract/kit/enable'
import type { ProjectRow } from '@zhugong/contract/organisation/model'
import type { projectList } from '@zhugong/contract/organisation/projects'
import { useDicts } from '#kit/dicts.ts'
import { EnableTag, enableOptions } from '#kit/enable.tsx'
import { Tag } from '#kit/feedback.tsx'
import { day, thousands } from '#kit/format.ts'
import type { Option } from '#kit/list-state.ts'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { stateTones } from './project-words.ts'

export function useProjectColumns(governments: readonly Option[], enter: (row: ProjectRow) => void): ColumnOf<typeof projectList>[] {
  const dicts = useDicts('projectCategory', 'projectState', 'projectPhase')
  return [
    {
      key: 'name',
      width: 200,
      locked: true,
      sort: true,
      filter: 'text',
      value: (p) => (
        <>
          <button type="button" className="zg-bare zg-link" onClick={() => enter(p)}>
            {p.name}
          </button>{' '}
          {!isOn(p.enable) && <Tag>已停用</Tag>}
        </>
      ),
    },
    {
      key: 'prjStatus',
      width: 76,
      filter: 'multi',
      options: dicts.options('projectState'),
      value: (p) => (
        <Tag tone={stateTones[p.prjStatus] ?? 'neutral'} icon={false}>
          {p.prjStatusName}
        </Tag>
      ),
    },
    { key: 'areaCode', width: 84, filter: 'area-cascader', value: (p) => p.areaName },
    {
      key: 'category',
      width: 100,
      filter: 'multi',
      options: dicts.options('projectCategory'),
      value: (p) => p.categoryName,
    },
    {
      key: 'superviseOrg',
      width: 150,
      filter: 'multi',
      options: governments,
      value: (p) => p.superviseOrgName ?? <span className="tone-warning">未指派</span>,
    },
    {
      key: 'superviseNo',
      width: 116,
      filter: 'checkbox-empty',
      options: [],
      value: (p) => p.superviseNo ?? <span className="tone-warning">未登记</span>,
    },
    { key: 'contractorCorpName', width: 146, filter: 'text', value: (p) => p.contractorCorpName },
    { key: 'onSite', width: 72, align: 'right', sort: true, value: (p) => thousands(p.onSite) },
    {
      key: 'openAlarms',
      width: 108,
      align: 'right',
      sort: true,
      value: (p) => (p.openAlarms ? <span className="tone-danger">{p.openAlarms}</span> : 0),
    },
    { key: 'projectCode', width: 168, hidden: true, filter: 'text', value: (p) => p.projectCode },
    { key: 'buildCorpName', width: 180, hidden: true, filter: 'text', value: (p) => p.buildCorpName },
    {
      key: 'buildingArea',
      width: 100,
      hidden: true,
      align: 'right',
      sort: true,
      filter: 'numeric-range',
      value: (p) => thousands(p.buildingArea),
    },
    {
      key: 'invest',
      width: 110,
      hidden: true,
      align: 'right',
      sort: true,
      filter: 'numeric-range',
      value: (p) => thousands(p.invest),
    },
    {
      key: 'phase',
      width: 110,
      hidden: true,
      filter: 'multi',
      options: dicts.options('projectPhase'),
      value: (p) => p.phaseName,
    },
    { key: 'startDate', width: 104, hidden: true, sort: true, filter: 'date-range', value: (p) => day(p.startDate) },
    {
      key: 'completeDate',
      width: 104,
      hidden: true,
      sort: true,
      filter: 'date-range',
      value: (p) => day(p.completeDate),
    },
    {
      key: 'enable',
      width: 72,
      hidden: true,
      filter: 'single',
      options: enableOptions,
      value: (p) => <EnableTag enable={p.enable} />,
    },
  ]
}
