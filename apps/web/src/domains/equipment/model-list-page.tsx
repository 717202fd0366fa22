import { protocolNames } from '@zhugong/contract/equipment/codes'
import { listBrands, listFactories } from '@zhugong/contract/equipment/library-endpoints'
import { createModel, getModel, type ModelRow, modelList, removeModel, updateModel } from '@zhugong/contract/equipment/model-endpoints'
import { turned } from '@zhugong/contract/kit/enable'
import { listFamilies } from '@zhugong/contract/telemetry/endpoints'
import { Button } from 'antd'
import { useRef } from 'react'
import { Link } from 'react-router'
import { call, saveBlob, useAct, useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { EnableTag, enableOptions, switchAction } from '#kit/enable.tsx'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { notify } from '#kit/notify.ts'
import { hrefOf, useGo } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { jsonOfModel, modelOfJson } from './model-json.ts'

const protocolOptions = Object.entries(protocolNames).map(([value, label]) => ({ value, label }))

/** Known models, what they send and how they are read. */
export default function ModelListPage() {
  const go = useGo()
  const list = useListPage(modelList)
  const kinds = useCall(listFamilies, {}, { staleMs: 3_600_000, quiet: true })
  const makers = useCall(listFactories, { query: { size: 1000, sort: 'name' } }, { quiet: true })
  const brands = useCall(listBrands, { query: { size: 1000 } }, { quiet: true })
  const file = useRef<HTMLInputElement>(null)
  const change = useAct(updateModel, { success: '已更改' })
  const removal = useAct(removeModel, { success: '已删除' })
  const create = useAct(createModel, { success: '型号已导入', onDone: ({ id }) => go('/model/details', { id }) })
  const options = (rows: readonly { id: string; name: string }[] | undefined) =>
    (rows ?? []).map((one) => ({ value: one.id, label: one.name }))
  const turn = (row: ModelRow) =>
    switchAction({
      enable: row.enable,
      needs: updateModel,
      question: {
        thing: `停用型号 ${row.name}`,
        consequence: `新设备不能再选它；在用的 ${row.devices} 台不受影响。`,
        verb: '停用型号',
        keep: '继续使用',
      },
      run: () => change.run({ params: { id: row.id }, body: { enable: turned(row.enable), version: row.version } }),
    })
  const remove = (row: ModelRow) =>
    removal.afterRequesting(
      {
        thing: `删除型号 ${row.name} V${row.modelVersion}`,
        consequence: '指标、寄存器与报警码对照一并删除。',
        verb: '删除型号',
        keep: '不删除',
      },
      { params: { id: row.id } },
    )
  const download = async (row: ModelRow) => {
    const model = await call(getModel, { params: { id: row.id } })
    saveBlob({ blob: new Blob([jsonOfModel(model)], { type: 'application/json' }), fileName: `${row.name}_V${row.modelVersion}.json` })
  }
  const take = async (chosen: File | undefined) => {
    if (!chosen) return
    const read = modelOfJson(await chosen.text(), brands.data?.list ?? [])
    if ('problem' in read) notify.error(read.problem)
    else void create.run({ body: read.body })
  }
  const columns: ColumnOf<typeof modelList>[] = [
    {
      key: 'name',
      width: 150,
      locked: true,
      sort: true,
      filter: 'text',
      value: (row) => <Link to={hrefOf('/model/details', { id: row.id })}>{row.name}</Link>,
    },
    {
      key: 'brandName',
      width: 110,
      sort: true,
      filter: 'single',
      filterKey: 'brandId',
      options: options(brands.data?.list),
      value: (row) => row.brandName,
    },
    {
      key: 'factoryName',
      width: 180,
      sort: true,
      filter: 'single',
      filterKey: 'factoryId',
      options: options(makers.data?.list),
      value: (row) => row.factoryName,
    },
    {
      key: 'family',
      width: 120,
      sort: true,
      filter: 'tree-cascader',
      tree: familyTree(kinds.data?.list ?? []),
      value: (row) => row.familyName,
    },
    {
      key: 'protocols',
      width: 150,
      filter: 'multi',
      options: protocolOptions,
      value: (row) => row.protocols.map((p) => protocolNames[p as keyof typeof protocolNames] ?? p).join('、'),
    },
    { key: 'metricCount', width: 70, align: 'right', value: (row) => row.metricCount },
    {
      key: 'hasRegisterMap',
      width: 80,
      filter: 'single',
      options: [
        { value: 'true', label: '有' },
        { value: 'false', label: '无' },
      ],
      value: (row) => (row.hasRegisterMap ? '有' : undefined),
    },
    { key: 'devices', width: 72, align: 'right', sort: true, filter: 'numeric-range', value: (row) => row.devices },
    { key: 'modelVersion', width: 60, value: (row) => `V${row.modelVersion}` },
    {
      key: 'enable',
      width: 80,
      filter: 'single',
      options: enableOptions,
      value: (row) => <EnableTag enable={row.enable} />,
    },
  ]
  const add = (
    <Can call={updateModel}>
      <Button type="primary" onClick={() => go('/model/edit')}>
        新增型号
      </Button>
      <Button onClick={() => file.current?.click()}>导入 JSON</Button>
      <input
        ref={file}
        type="file"
        accept=".json,application/json"
        hidden
        aria-label="选择型号文件"
        onChange={(event) => {
          void take(event.target.files?.[0])
          event.target.value = ''
        }}
      />
    </Can>
  )
  return (
    <ListShell actions={add}>
      <DataTable
        list={list}
        columns={columns}
        unit="个"
        search={{ key: 'name', placeholder: '型号名称' }}
        onRow={(row) => go('/model/details', { id: row.id })}
        actions={(row) => [
          { label: '编辑', href: hrefOf('/model/edit', { id: row.id }), needs: updateModel },
          { label: '新版本', href: hrefOf('/model/edit', { versionOf: row.id }), needs: updateModel },
          turn(row),
          { label: '导出 JSON', onClick: () => download(row) },
          {
            label: '删除',
            needs: removeModel,
            danger: true,
            disabled: row.devices > 0 && `还有 ${row.devices} 台设备在用`,
            onClick: () => remove(row),
          },
        ]}
        emptyHint="型号说明一种设备测什么、怎么读，登记一次，所有同型号设备都不用再配"
        emptyAction={add}
      />
    </ListShell>
  )
}

/** Families grouped by the hundreds of their code: lifting, environment, meters, people and vehicles, gates and video. */
export function familyTree(all: readonly { key: string; code: number; name: string }[]) {
  const groups: Readonly<Record<string, string>> = {
    '3': '起重与结构',
    '5': '环境',
    '6': '能耗与计量',
    '7': '人员与车辆',
    '8': '通行与视频',
  }
  return Object.entries(groups).flatMap(([hundred, label]) => {
    const children = all.filter((one) => String(one.code).startsWith(hundred)).map((one) => ({ value: one.key, label: one.name }))
    return children.length ? [{ value: children.map((c) => c.value).join(','), label, children }] : []
  })
}
