import { companyProjectList, companyProjects } from '@zhugong/contract/organisation/part-lists'
import { useCall } from '#kit/call.ts'
import { DataTable } from '#kit/data-table.tsx'
import { useDicts } from '#kit/dicts.ts'
import { FigureStrip, Tag } from '#kit/feedback.tsx'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { switchScope } from '#kit/me.ts'
import { usePageParam } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { stateTones } from './project-words.ts'

/** Projects of a company with its part in each and the figures of its people. */
export default function CompanyProjectsPage() {
  const corpCode = usePageParam('corpCode')
  const scope = corpCode ? { corpCode } : undefined
  const dicts = useDicts('projectCorpType', 'projectState')
  const list = useListPage(companyProjectList, { scope, defaultSort: '-running', inUrl: false })
  const figures = useCall(companyProjects, { query: { ...scope, size: 1 } }, { quiet: true, select: (data) => data })
  const f = figures.data
  const columns: ColumnOf<typeof companyProjectList>[] = [
    { key: 'name', width: 200, locked: true, sort: true, filter: 'text', value: (r) => r.name },
    { key: 'corpType', width: 120, filter: 'multi', options: dicts.options('projectCorpType'), value: (r) => r.corpTypeName },
    { key: 'parentCorpName', width: 180, weak: true, value: (r) => r.parentCorpName },
    { key: 'areaCode', width: 110, filter: 'area-cascader', value: (r) => r.areaName },
    {
      key: 'prjStatus',
      width: 96,
      filter: 'multi',
      options: dicts.options('projectState'),
      value: (r) => (
        <Tag tone={stateTones[r.prjStatus] ?? 'neutral'} icon={false}>
          {r.prjStatusName}
        </Tag>
      ),
    },
    { key: 'entryTime', width: 104, sort: true, filter: 'date-range', value: (r) => r.entryTime },
    { key: 'exitTime', width: 104, weak: true, sort: true, value: (r) => r.exitTime },
    {
      key: 'contractAmount',
      width: 110,
      align: 'right',
      sort: true,
      filter: 'numeric-range',
      value: (r) => r.contractAmount?.toLocaleString('zh-CN'),
    },
    { key: 'ownPeople', width: 104, align: 'right', sort: true, filter: 'numeric-range', value: (r) => r.ownPeople },
    {
      key: 'attendanceRate',
      width: 130,
      align: 'right',
      sort: true,
      value: (r) => r.attendanceRate !== null && <span className={r.attendanceRate < 60 ? 'tone-danger' : ''}>{r.attendanceRate}</span>,
    },
  ]
  return (
    <ListShell
      title="项目列表"
      remark="数字只计本企业人员，出勤率为近 7 日"
      strip={
        <FigureStrip
          loading={!f}
          items={[
            { label: '参建', value: f?.total, unit: '个' },
            { label: '在建', value: f?.figures.building, unit: '个' },
            { label: '本企业在场', value: f?.figures.people, unit: '人' },
            { label: '已退场', value: f?.figures.left, unit: '个' },
          ]}
        />
      }
    >
      <DataTable
        list={list}
        columns={columns}
        rowKey="id"
        actions={(r) => [
          r.exitTime === null && {
            label: '进入项目',
            onClick: () => switchScope({ projectCode: r.projectCode, projectName: r.name }),
          },
        ]}
      />
    </ListShell>
  )
}
