import {
  type FactoryRow,
  factoryList,
  listBrands,
  listFactories,
  removeFactory,
  updateFactory,
} from '@zhugong/contract/equipment/library-endpoints'
import { listModels } from '@zhugong/contract/equipment/model-endpoints'
import { turned } from '@zhugong/contract/kit/enable'
import { Button } from 'antd'
import { useMemo } from 'react'
import { Link } from 'react-router'
import { useAct, useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { EnableTag, enableOptions, switchAction } from '#kit/enable.tsx'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { hrefOf, useGo } from '#kit/page.tsx'
import { SidePanel } from '#kit/side-panel.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { useFamilyOptions } from './library-parts.tsx'

/** Master data of manufacturers. Their evaluation is on the page 设备厂商. */
export default function FactoryListPage() {
  const go = useGo()
  const list = useListPage(factoryList, { scope: useMemo(() => ({ kind: 'maker' as const }), []), defaultSort: '-updateTime' })
  const families = useFamilyOptions()
  const makers = useCall(listFactories, { query: { size: 1000, sort: 'name' } }, { quiet: true })
  const brands = useCall(listBrands, { query: { size: 1000 } }, { quiet: true })
  const models = useCall(listModels, { query: { size: 1000 } }, { quiet: true })
  const change = useAct(updateFactory, { success: '已更改' })
  const removal = useAct(removeFactory, { success: '已删除' })
  const tree = useMemo(
    () =>
      (makers.data?.list ?? []).map((maker) => ({
        key: `factory/${maker.id}`,
        title: maker.name,
        count: maker.devices,
        children: (brands.data?.list ?? [])
          .filter((brand) => brand.factoryId === maker.id)
          .map((brand) => ({
            key: `brand/${brand.id}`,
            title: brand.name,
            count: brand.devices,
            children: (models.data?.list ?? [])
              .filter((model) => model.brandId === brand.id)
              .map((model) => ({ key: `model/${model.id}`, title: model.name, count: model.devices })),
          })),
      })),
    [makers.data, brands.data, models.data],
  )
  const open = (key: string | undefined) => {
    const [kind, id] = key?.split('/') ?? []
    if (kind === 'factory') go('/manufactor1.1.0/details', { id })
    else if (kind === 'brand') go('/brand/details', { id })
    else if (kind === 'model') go('/model/details', { id })
  }
  const turn = (row: FactoryRow) =>
    switchAction({
      enable: row.enable,
      needs: updateFactory,
      question: {
        thing: `停用 ${row.name}`,
        consequence: `新设备不能再选它；在用的 ${row.devices} 台设备不受影响。`,
        verb: '停用厂商',
        keep: '继续使用',
      },
      run: () => change.run({ params: { id: row.id }, body: { enable: turned(row.enable), version: row.version } }),
    })
  const remove = (row: FactoryRow) =>
    removal.afterRequesting(
      {
        thing: `删除 ${row.name}`,
        consequence: '厂商档案与附件一并删除，不能恢复。',
        verb: '删除厂商',
        keep: '不删除',
      },
      { params: { id: row.id } },
    )
  const columns: ColumnOf<typeof factoryList>[] = [
    {
      key: 'name',
      width: 170,
      locked: true,
      sort: true,
      filter: 'text',
      value: (row) => <Link to={hrefOf('/manufactor1.1.0/details', { id: row.id })}>{row.name}</Link>,
    },
    { key: 'corpCode', width: 160, filter: 'text', value: (row) => row.corpCode },
    { key: 'brands', width: 60, align: 'right', value: (row) => row.brands },
    { key: 'models', width: 60, align: 'right', value: (row) => row.models },
    { key: 'devices', width: 70, align: 'right', sort: true, filter: 'numeric-range', value: (row) => row.devices },
    { key: 'families', width: 140, filter: 'multi', options: families, value: (row) => row.familyNames.join('、') },
    { key: 'contact', width: 100, hidden: true, value: (row) => row.contact },
    {
      key: 'enable',
      width: 80,
      filter: 'single',
      options: enableOptions,
      value: (row) => <EnableTag enable={row.enable} />,
    },
    { key: 'updateTime', width: 150, sort: true, filter: 'datetime-range', value: (row) => row.updateTime },
  ]
  const add = (
    <Can call={updateFactory}>
      <Button type="primary" onClick={() => go('/manufactor1.1.0/edit')}>
        新增厂商
      </Button>
    </Can>
  )
  return (
    <ListShell
      left={<SidePanel title="厂商 / 品牌 / 型号" nodes={tree} onSelect={open} searchPlaceholder="名称" width={240} />}
      remark="登记与维护厂商档案"
      titleActions={<Button onClick={() => go('/manufactor')}>看在用情况与对接测试</Button>}
      actions={add}
    >
      <DataTable
        list={list}
        columns={columns}
        unit="家"
        search={{ key: 'name', placeholder: '厂商名称' }}
        onRow={(row) => go('/manufactor1.1.0/details', { id: row.id })}
        actions={(row) => [
          { label: '编辑', href: hrefOf('/manufactor1.1.0/edit', { id: row.id }), needs: updateFactory },
          turn(row),
          {
            label: '删除',
            needs: removeFactory,
            danger: true,
            disabled: row.models > 0 ? `还有 ${row.models} 个型号` : row.devices > 0 && `还有 ${row.devices} 台设备`,
            onClick: () => remove(row),
          },
        ]}
        emptyHint="登记设备的制造商，再添加品牌与型号；设备登记时从型号库选择"
        emptyAction={add}
      />
    </ListShell>
  )
}
