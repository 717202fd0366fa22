import { type BrandRow, brandList, listFactories, removeBrand, updateBrand } from '@zhugong/contract/equipment/library-endpoints'
import { turned } from '@zhugong/contract/kit/enable'
import { Button } from 'antd'
import { Link } from 'react-router'
import { useAct, useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { EnableTag, enableOptions, switchAction } from '#kit/enable.tsx'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { hrefOf, useGo } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { BrandMark } from './brand-mark.tsx'
import { useFamilyOptions } from './library-parts.tsx'

/** Brands of the manufacturers. Duplicates are merged on the page 设备品牌. */
export default function BrandListPage() {
  const go = useGo()
  const list = useListPage(brandList, { defaultSort: 'name' })
  const families = useFamilyOptions()
  const makers = useCall(listFactories, { query: { size: 1000, sort: 'name' } }, { quiet: true })
  const change = useAct(updateBrand, { success: '已更改' })
  const removal = useAct(removeBrand, { success: '已删除' })
  const turn = (row: BrandRow) =>
    switchAction({
      enable: row.enable,
      needs: updateBrand,
      question: {
        thing: `停用 ${row.name}`,
        consequence: '不能再添加它的型号；在用设备不受影响。',
        verb: '停用品牌',
        keep: '继续使用',
      },
      run: () => change.run({ params: { id: row.id }, body: { enable: turned(row.enable), version: row.version } }),
    })
  const remove = (row: BrandRow) =>
    removal.afterRequesting(
      {
        thing: `删除品牌 ${row.name}`,
        consequence: '别名随之失效，导入时不再认得。',
        verb: '删除品牌',
        keep: '不删除',
      },
      { params: { id: row.id } },
    )
  const columns: ColumnOf<typeof brandList>[] = [
    {
      key: 'name',
      width: 160,
      locked: true,
      sort: true,
      filter: 'text',
      value: (row) => (
        <Link to={hrefOf('/brand/details', { id: row.id })}>
          <BrandMark brand={row} /> {row.name}
        </Link>
      ),
    },
    { key: 'alias', width: 200, filter: 'text', value: (row) => row.alias.join('、') },
    {
      key: 'factoryName',
      width: 200,
      sort: true,
      filter: 'single',
      filterKey: 'factoryId',
      options: (makers.data?.list ?? []).map((one) => ({ value: one.id, label: one.name })),
      value: (row) => row.factoryName,
    },
    { key: 'families', width: 200, filter: 'multi', options: families, value: (row) => row.familyNames.join('、') },
    { key: 'models', width: 64, align: 'right', value: (row) => row.models },
    { key: 'devices', width: 72, align: 'right', sort: true, value: (row) => row.devices },
    {
      key: 'enable',
      width: 80,
      filter: 'single',
      options: enableOptions,
      value: (row) => <EnableTag enable={row.enable} />,
    },
    { key: 'updateTime', width: 150, hidden: true, sort: true, value: (row) => row.updateTime },
  ]
  const add = (
    <Can call={updateBrand}>
      <Button type="primary" onClick={() => go('/brand/edit')}>
        新增品牌
      </Button>
    </Can>
  )
  return (
    <ListShell
      remark="登记与维护品牌和别名"
      actions={add}
      titleActions={<Button onClick={() => go('/equipmentBrand')}>看质量对比，查重与合并</Button>}
    >
      <DataTable
        list={list}
        columns={columns}
        unit="个"
        search={{ key: 'name', placeholder: '品牌名称' }}
        onRow={(row) => go('/brand/details', { id: row.id })}
        actions={(row) => [
          { label: '编辑', href: hrefOf('/brand/edit', { id: row.id }), needs: updateBrand },
          turn(row),
          {
            label: '删除',
            needs: removeBrand,
            danger: true,
            disabled: row.models > 0 ? `还有 ${row.models} 个型号` : row.devices > 0 && `还有 ${row.devices} 台设备`,
            onClick: () => remove(row),
          },
        ]}
        emptyHint="登记品牌与别名，导入与对接时据此识别"
        emptyAction={add}
      />
    </ListShell>
  )
}
