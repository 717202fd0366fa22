import { getFactory, listFactories, makerList } from '@zhugong/contract/equipment/library-endpoints'
import { Button } from 'antd'
import { useMemo, useState } from 'react'
import { useCall } from '#kit/call.ts'
import { DataTable } from '#kit/data-table.tsx'
import { Card, DetailSkeleton, ErrorPanel, FigureStrip } from '#kit/feedback.tsx'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { PageDrawer } from '#kit/overlay.tsx'
import { useGo } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { DockTests } from './dock-tests.tsx'
import { DockTag, dockOptions, Share, SiteBars, useFamilyOptions } from './library-parts.tsx'

/** Overview of manufacturers: sites, contact, and passed interface tests. */
export default function MakerPage() {
  const go = useGo()
  const [open, setOpen] = useState<string>()
  const list = useListPage(makerList, {
    scope: useMemo(() => ({ kind: 'maker' as const, with: 'quality' }), []),
    defaultSort: '-devices',
  })
  const counts = useCall(listFactories, { query: { kind: 'maker', size: 1 } }, { quiet: true })
  const families = useFamilyOptions()
  const columns: ColumnOf<typeof makerList>[] = [
    { key: 'name', width: 190, locked: true, sort: true, filter: 'text', value: (row) => row.name },
    { key: 'families', width: 180, filter: 'multi', options: families, value: (row) => row.familyNames.join('、') },
    {
      key: 'dockState',
      width: 92,
      sort: true,
      filter: 'multi',
      options: dockOptions,
      value: (row) => <DockTag state={row.dockState} />,
    },
    { key: 'devices', width: 76, align: 'right', sort: true, filter: 'numeric-range', value: (row) => row.devices },
    { key: 'areaCode', width: 140, filter: 'area-cascader', value: (row) => row.areaNames.join('、') || '全部' },
    {
      key: 'onlinePercent',
      width: 104,
      align: 'right',
      value: (row) => <Share value={row.quality?.onlinePercent} few={row.quality?.few} low={90} />,
    },
    { key: 'contact', width: 160, value: (row) => [row.contact, row.contactPhone].filter(Boolean).join(' ') },
    { key: 'serviceHours', width: 130, value: (row) => row.serviceHours },
    {
      key: 'openTickets',
      width: 84,
      align: 'right',
      sort: true,
      value: (row) => <span className={row.openTickets ? 'tone-warning' : ''}>{row.openTickets}</span>,
    },
  ]
  const c = counts.data?.counts
  return (
    <ListShell
      remark="各厂商在用多少、能否对接、找谁解决"
      titleActions={<Button onClick={() => go('/manufactor1.1.0')}>维护厂商档案</Button>}
      strip={
        <FigureStrip
          loading={!counts.data}
          items={[
            { label: '厂商', value: c?.all, unit: '家' },
            { label: '对接通过', value: c?.passed, unit: '家', tone: 'fine' },
            { label: '对接失效', value: c?.lapsed, unit: '家', tone: c?.lapsed ? 'danger' : undefined },
            { label: '未结报修', value: c?.openTickets, unit: '项', tone: c?.openTickets ? 'warning' : undefined },
          ]}
        />
      }
    >
      <DataTable
        list={list}
        columns={columns}
        unit="家"
        search={{ key: 'name', placeholder: '厂商名称' }}
        onRow={(row) => setOpen(row.id)}
        emptyHint="厂商档案在厂商管理中登记"
        emptyAction={<Button onClick={() => go('/manufactor1.1.0')}>去厂商管理</Button>}
      />
      <MakerDrawer id={open} onClose={() => setOpen(undefined)} />
    </ListShell>
  )
}

function MakerDrawer({ id, onClose }: { id: string | undefined; onClose: () => void }) {
  const go = useGo()
  const { data: maker, error, refetch } = useCall(getFactory, { params: { id: id ?? '' } }, { enabled: id !== undefined, quiet: true })
  return (
    <PageDrawer
      open={id !== undefined}
      title={maker?.name ?? '厂商'}
      onClose={onClose}
      extra={id && <Button onClick={() => go('/manufactor1.1.0/details', { id })}>完整档案</Button>}
    >
      {error ? (
        <ErrorPanel error={error} retry={refetch} />
      ) : maker ? (
        <div className="zg-stack-12">
          <DockTests maker={maker} />
          <Card title="在用设备" remark={`${maker.devices} 台，${maker.projects} 个项目`}>
            <SiteBars sites={maker.byProject} />
          </Card>
        </div>
      ) : (
        <DetailSkeleton />
      )}
    </PageDrawer>
  )
}
