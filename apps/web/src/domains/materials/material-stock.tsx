import { materialStockList, type StockRow, saveMaterialPlan } from '@zhugong/contract/materials/calls'
import { type ReactNode, useState } from 'react'
import { useAct } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { useDicts } from '#kit/dicts.ts'
import { FormDrawer } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { thousands } from '#kit/format.ts'
import { NumberInput } from '#kit/inputs.tsx'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { useProjectScope } from '#kit/me.ts'
import type { ColumnOf } from '#kit/table-columns.tsx'

const { Field } = formOf(saveMaterialPlan)

/** Planned, arrived, accepted, used and left, by name and specification; what is not sampled enough stands in yellow. */
export function MaterialStockTable({ views }: { views: ReactNode }) {
  const scope = { ...useProjectScope(), view: 'stock' as const }
  const list = useListPage(materialStockList, { scope, own: ['view'] })
  const columns = useColumns()
  const mayPlan = useCan(saveMaterialPlan.needs)
  const [planning, setPlanning] = useState<StockRow | undefined>(undefined)
  return (
    <ListShell>
      <DataTable
        list={list}
        columns={columns}
        unit="种"
        rowKey="key"
        name="material-stock"
        toolbar={views}
        search={{ key: 'name', placeholder: '材料名称' }}
        emptyHint="材料进场后按名称与规格汇总在这里"
        actions={(row) => [mayPlan && { label: '计划量', run: () => setPlanning(row) }]}
      />
      {planning && <PlanDrawer row={planning} onClose={() => setPlanning(undefined)} />}
    </ListShell>
  )
}

function PlanDrawer({ row, onClose }: { row: StockRow; onClose: () => void }) {
  const act = useAct(saveMaterialPlan, { success: '计划量已保存' })
  const { category, name, spec, unit, projectCode } = row
  return (
    <FormDrawer
      act={act}
      open
      narrow
      title="计划量"
      remark={`${name} ${spec}`}
      onClose={onClose}
      initial={{ category, name, spec, unit, planned: row.planned ?? undefined }}
      input={(body) => ({ query: { projectCode }, body: { ...body, category, name, spec, unit } })}
    >
      <Field name="planned" label="计划总量">
        <NumberInput unit={row.unitName} min={0} />
      </Field>
    </FormDrawer>
  )
}

function useColumns(): ColumnOf<typeof materialStockList>[] {
  const dicts = useDicts('materialCategory')
  const amount = (value: number) => thousands(value)
  return [
    { key: 'name', width: 160, locked: true, filter: 'text', sort: true, value: (r) => r.name },
    { key: 'spec', width: 150, filter: 'text', value: (r) => r.spec },
    { key: 'category', width: 112, sort: true, filter: 'multi', options: dicts.options('materialCategory'), value: (r) => r.categoryName },
    { key: 'unitName', width: 72, value: (r) => r.unitName },
    { key: 'planned', width: 100, align: 'right', value: (r) => (r.planned === null ? null : amount(r.planned)) },
    {
      key: 'arrived',
      width: 100,
      align: 'right',
      sort: true,
      value: (r) => (
        <span
          className={r.planned !== null && r.arrived > r.planned ? 'tone-danger' : undefined}
          title={r.planned !== null && r.arrived > r.planned ? '超出计划' : undefined}
        >
          {amount(r.arrived)}
        </span>
      ),
    },
    { key: 'accepted', width: 100, align: 'right', value: (r) => amount(r.accepted) },
    { key: 'used', width: 100, align: 'right', sort: true, value: (r) => amount(r.used) },
    { key: 'left', width: 100, align: 'right', sort: true, value: (r) => <b>{amount(r.left)}</b> },
    { key: 'batches', width: 72, align: 'right', value: (r) => r.batches },
    { key: 'samplesDue', width: 112, align: 'right', value: (r) => r.samplesDue || null },
    {
      key: 'samplesTaken',
      width: 112,
      align: 'right',
      value: (r) =>
        r.samplesDue === 0 ? null : <span className={r.samplesTaken < r.samplesDue ? 'tone-warning' : undefined}>{r.samplesTaken}</span>,
    },
  ]
}
