import { listSupervision, paperSources, partNames, supervisionList } from '@zhugong/contract/documents/supervision'
import { Link } from 'react-router'
import { useCall } from '#kit/call.ts'
import { DataTable } from '#kit/data-table.tsx'
import { useDicts } from '#kit/dicts.ts'
import { Notice, Tag } from '#kit/feedback.tsx'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { useProjectCode, useProjectScope } from '#kit/me.ts'
import type { SideNode } from '#kit/side-node.ts'
import { SidePanel } from '#kit/side-panel.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'

const sourceOptions = Object.entries(paperSources).map(([value, label]) => ({ value, label }))
const signedOptions = [
  { value: 'true', label: '已签字或送达' },
  { value: 'false', label: '待签' },
]

/** Is the supervision file of this project complete, and what was served on it? */
export default function SupervisionPage() {
  const scope = useProjectScope()
  const oneProject = useProjectCode() !== '*'
  const list = useListPage(supervisionList, { scope, tabs: ['part', 'docType'] })
  const { data } = useCall(listSupervision, { query: { ...scope, size: 1 } }, { quiet: true })
  const directory = data?.directory ?? []
  const nodes = Object.entries(partNames).map(([part, title]): SideNode => {
    const own = directory.filter((one) => one.docType.startsWith(part))
    return {
      key: part,
      title,
      count: own.reduce((sum, one) => sum + one.count, 0),
      children: own.map((one) => ({ key: one.docType, title: one.name, count: one.count })),
    }
  })
  const missing = data?.missing
  return (
    <ListShell
      left={
        <SidePanel
          title="文书目录"
          nodes={nodes}
          all={{ title: '全部', count: directory.reduce((sum, one) => sum + one.count, 0) }}
          selected={list.filters.docType ?? list.filters.part}
          onSelect={(key) => {
            const isPart = key !== undefined && key in partNames
            list.setFilters({ part: isPart ? key : undefined, docType: isPart ? undefined : key })
          }}
        />
      }
      above={
        missing &&
        (missing.length === 0 ? (
          <Notice tone="fine">监督资料齐全，可以办理终止监督</Notice>
        ) : (
          <Notice tone="warning">尚不齐全：{missing.join('；')}</Notice>
        ))
      }
    >
      <DataTable
        list={list}
        columns={useColumns().filter((column) => !(column.key === 'projectName' && oneProject))}
        unit="份"
        search={{ key: 'code', placeholder: '文书编号' }}
        emptyHint="监督记录签字、通知下发或申请办结后，资料会自动出现在这里"
        actions={(row) => [{ label: '查看', href: row.link }]}
      />
    </ListShell>
  )
}

function useColumns(): ColumnOf<typeof supervisionList>[] {
  const dicts = useDicts('superviseDocType')
  return [
    { key: 'code', width: 260, locked: true, filter: 'text', value: (r) => r.code ?? '--' },
    { key: 'name', width: 220, keeps: true, value: (r) => <Link to={r.link}>{r.name}</Link> },
    { key: 'projectName', width: 180, value: (r) => r.projectName },
    { key: 'docType', width: 90, filter: 'multi', options: dicts.options('superviseDocType'), sort: true, value: (r) => r.docType },
    { key: 'checkDate', width: 110, sort: true, filter: 'date-range', value: (r) => r.checkDate ?? '--' },
    {
      key: 'signed',
      width: 120,
      keeps: true,
      filter: 'single',
      options: signedOptions,
      value: (r) => <Tag tone={r.signed ? 'fine' : 'warning'}>{r.signed ? '已签字或送达' : '待签'}</Tag>,
    },
    { key: 'source', width: 110, filter: 'multi', options: sourceOptions, value: (r) => r.sourceName },
    { key: 'versionNo', width: 70, align: 'right', weak: true, value: (r) => r.versionNo },
    { key: 'filed', width: 80, weak: true, value: (r) => (r.filed ? '已归档' : '办理中') },
  ]
}
