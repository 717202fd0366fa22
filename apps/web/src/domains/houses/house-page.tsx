import { SyncOutlined } from '@ant-design/icons'
import {
  findHouses,
  type House,
  houseList,
  houseProblemList,
  houseSyncList,
  runHouseSync,
  syncSources,
} from '@zhugong/contract/houses/houses'
import { houseStates } from '@zhugong/contract/houses/moves'
import type { InputFor } from '@zhugong/contract/kit/endpoint'
import type { FilterName, SortName } from '@zhugong/contract/kit/list'
import { Button, Segmented } from 'antd'
import { useState } from 'react'
import { useCall } from '#kit/call.ts'
import { useCan, withCode } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { useDicts } from '#kit/dicts.ts'
import { Card, Empty, FigureStrip, Known, Notice, Tag } from '#kit/feedback.tsx'
import { thousands } from '#kit/format.ts'
import { type ListPage, useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { useProjectCode, useProjectScope } from '#kit/me.ts'
import { useGo, usePageQuery } from '#kit/page.tsx'
import { SidePanel } from '#kit/side-panel.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { ZipButton } from '#kit/zip-button.tsx'
import { HouseDrawer } from './house-drawer.tsx'
import { HouseTag, path } from './house-words.tsx'
import { SyncSheet } from './sync-sheet.tsx'
import './houses.css'

type View = 'grid' | 'list' | 'problems' | 'syncs'
/** A building has fewer houses than this. */
const wholeBuilding = 1000

/** Are all flats in the platform, and which building is ready for the final acceptance? */
export default function HousePage() {
  const go = useGo()
  const scope = useProjectScope()
  const projectCode = useProjectCode()
  const [view, setView] = useState<View>()
  const opened = usePageQuery().get('house')
  const [syncing, setSyncing] = useState(false)
  const list = useListPage(houseList, { scope, defaultSort: 'place', tabs: ['building'], own: ['house'] })
  const { data } = useCall(findHouses, { query: { ...scope, page: 1, size: 1 } }, { quiet: true, keepPrevious: true })
  const maySync = useCan(withCode(runHouseSync, 'inspection.houseSync'))
  const buildings = data?.buildings ?? []
  const counts = data?.counts
  const chosen = buildings.find((one) => one.id === list.filters.building)
  // The first building with work left.
  const shown = chosen ?? buildings.find((one) => !one.ready) ?? buildings[0]
  const filtered = ['open', 'gone', 'state', 'name'].some((key) => list.filters[key])
  const now: View = view ?? (filtered || projectCode === '*' ? 'list' : 'grid')
  const open = (house: string | undefined) => go(path, { ...list.filters, house }, { replace: true })
  return (
    <ListShell
      left={
        <SidePanel
          title="楼栋"
          all={{ title: '全部楼栋', count: counts?.total }}
          nodes={buildings.map(({ id, name, projectName, total }) => ({
            key: id,
            title: projectCode === '*' ? `${name} ${projectName}` : name,
            count: total,
          }))}
          selected={list.filters.building}
          onSelect={(key) => list.setFilter('building', key && key !== '*' ? key : undefined)}
          searchPlaceholder="楼栋"
        />
      }
      titleActions={
        maySync &&
        projectCode !== '*' && (
          <Button icon={<SyncOutlined />} onClick={() => setSyncing(true)}>
            同步
          </Button>
        )
      }
      strip={
        <FigureStrip
          loading={!counts}
          items={[
            { label: '应验收户', value: thousands(counts?.total), unit: '户', href: `${path}?gone=false` },
            { label: '合格', value: thousands(counts?.passed), unit: '户', tone: 'fine', href: `${path}?state=${houseStates.passed}` },
            {
              label: '待整改/复验',
              value: thousands(counts?.open),
              unit: '户',
              tone: counts?.open ? 'warning' : undefined,
              href: `${path}?open=true`,
            },
            {
              label: '未同步差异',
              value: thousands(counts?.gone),
              unit: '户',
              remark: '来源已无',
              tone: counts?.gone ? 'danger' : undefined,
              href: `${path}?gone=true`,
            },
          ]}
        />
      }
      above={
        <div className="houses-views">
          <Segmented<View>
            options={[
              { value: 'grid', label: '楼层图' },
              { value: 'list', label: '分户列表' },
              { value: 'problems', label: '未闭合问题' },
              { value: 'syncs', label: '同步记录' },
            ]}
            value={now}
            onChange={setView}
          />
          {shown && now === 'grid' && (
            <Notice tone={shown.ready ? 'fine' : 'info'}>
              {shown.name}：{shown.passed} / {shown.total} 户合格
              {shown.ready ? '，可提交竣工验收' : `，还差 ${shown.total - shown.passed} 户，全部合格后可提交竣工验收`}
            </Notice>
          )}
        </div>
      }
    >
      {now === 'grid' && <Grid building={shown?.id} scope={scope} onOpen={open} />}
      {now === 'list' && <Houses list={list} onOpen={open} />}
      {now === 'problems' && <Problems building={chosen?.id} onOpen={open} />}
      {now === 'syncs' && <Syncs />}
      {opened && <HouseDrawer key={opened} id={opened} onClose={() => open(undefined)} />}
      {syncing && <SyncSheet projectCode={projectCode} onClose={() => setSyncing(false)} />}
    </ListShell>
  )
}

/** The floors of one building from the top down, a cell for every house. */
function Grid({ building, scope, onOpen }: { building: string | undefined; scope: { projectCode: string }; onOpen: (id: string) => void }) {
  const read = useCall(
    findHouses,
    { query: { ...scope, building, page: 1, size: wholeBuilding } },
    { quiet: true, enabled: building !== undefined, keepPrevious: true },
  )
  if (!building) return <Empty text="还没有分户" hint="从文件或部位树同步房屋，生成楼层图" />
  const floors = [...Map.groupBy(read.data?.list ?? [], (one) => `${one.unitName ? `${one.unitName} ` : ''}${one.floorName}`)].reverse()
  return (
    <div className="houses-scroll">
      <Known of={read} rows={8}>
        <Card title="楼层图" remark="每格一户，括号内为未闭合问题数；点开验收">
          <ul className="houses-tower">
            {floors.map(([floor, houses]) => (
              <li key={floor}>
                <span className="zg-2">{floor}</span>
                {houses.map((one) => (
                  <button
                    key={one.id}
                    type="button"
                    data-house={one.gone ? 'gone' : one.state}
                    title={`${one.name}：${one.gone ? '来源已无，' : ''}${one.stateName}${one.problemCount ? `，${one.problemCount} 个问题` : ''}`}
                    onClick={() => onOpen(one.id)}
                  >
                    {one.name} <small>{one.gone ? '来源已无' : one.stateName}</small>
                    {one.problemCount > 0 && <b>（{one.problemCount}）</b>}
                  </button>
                ))}
              </li>
            ))}
          </ul>
        </Card>
      </Known>
    </div>
  )
}

type HousesOf = ListPage<
  House,
  keyof typeof houseList.columns,
  FilterName<InputFor<typeof findHouses>>,
  SortName<InputFor<typeof findHouses>>
>

function Houses({ list, onOpen }: { list: HousesOf; onOpen: (id: string) => void }) {
  const columns = useHouseColumns()
  return (
    <DataTable
      list={list}
      columns={columns}
      unit="户"
      search={{ key: 'name', placeholder: '房号' }}
      onRow={(row) => onOpen(row.id)}
      emptyHint="还没有分户：从文件或部位树同步房屋"
      selection={{
        unit: '户',
        disabled: (row) => row.state !== houseStates.passed,
        actions: (rows, clear) => (
          <ZipButton feature="houseCert" query={{ ids: rows.map((one) => one.id) }} count={rows.length} label="生成证明" onDone={clear} />
        ),
      }}
      filterWords={{
        open: { title: '问题', words: { true: '待整改/复验', false: '其他' } },
        gone: { title: '来源', words: { true: '来源已无', false: '应验收' } },
      }}
      actions={(row) => [{ label: '验收', onClick: () => onOpen(row.id) }]}
    />
  )
}

function useHouseColumns(): ColumnOf<typeof houseList>[] {
  const dicts = useDicts('houseState')
  const projectCode = useProjectCode()
  const all: ColumnOf<typeof houseList>[] = [
    { key: 'projectName', width: 150, value: (r) => r.projectName },
    { key: 'buildingName', width: 100, keeps: true, value: (r) => r.buildingName },
    { key: 'unitName', width: 80, weak: true, value: (r) => r.unitName },
    { key: 'floorName', width: 80, value: (r) => r.floorName },
    { key: 'name', width: 90, locked: true, sort: 'place', filter: 'text', value: (r) => r.name },
    { key: 'externalNo', width: 150, weak: true, value: (r) => r.externalNo },
    { key: 'houseType', width: 80, value: (r) => r.houseType },
    { key: 'businessType', width: 80, weak: true, value: (r) => r.businessType },
    { key: 'buildArea', width: 110, align: 'right', value: (r) => r.buildArea },
    { key: 'problemCount', width: 104, align: 'right', sort: true, value: (r) => r.problemCount || null },
    { key: 'acceptDate', width: 110, sort: true, value: (r) => r.acceptDate },
    { key: 'certNo', width: 130, value: (r) => r.certNo },
    {
      key: 'state',
      width: 130,
      keeps: true,
      filter: 'multi',
      options: dicts.options('houseState'),
      value: (r) => (
        <span className="zg-row zg-gap-6">
          <HouseTag row={r} />
          {r.gone && <Tag tone="danger">来源已无</Tag>}
        </span>
      ),
    },
  ]
  return projectCode === '*' ? all : all.filter((one) => one.key !== 'projectName')
}

function Problems({ building, onOpen }: { building: string | undefined; onOpen: (id: string) => void }) {
  const scope = { ...useProjectScope(), view: 'problems' as const, building }
  const list = useListPage(houseProblemList, { scope, defaultSort: 'since', inUrl: false })
  const dicts = useDicts('houseAcceptItem')
  const columns: ColumnOf<typeof houseProblemList>[] = [
    { key: 'projectName', width: 150, weak: true, value: (r) => r.projectName },
    { key: 'houseName', width: 150, locked: true, sort: 'place', filter: 'text', value: (r) => r.houseName },
    { key: 'itemCode', width: 180, filter: 'tree-cascader', tree: dicts.tree('houseAcceptItem'), value: (r) => r.itemName },
    { key: 'note', width: 260, value: (r) => r.note },
    { key: 'since', width: 150, sort: true, value: (r) => r.since },
    { key: 'stateName', width: 100, value: (r) => r.stateName },
  ]
  return (
    <DataTable
      list={list}
      columns={columns}
      name="house-problems"
      unit="项"
      onRow={(row) => onOpen(row.houseId)}
      emptyHint="没有未闭合的问题"
    />
  )
}

function Syncs() {
  const scope = { ...useProjectScope(), view: 'syncs' as const }
  const list = useListPage(houseSyncList, { scope, defaultSort: '-time', inUrl: false })
  const columns: ColumnOf<typeof houseSyncList>[] = [
    { key: 'time', width: 150, locked: true, sort: true, filter: 'datetime-range', value: (r) => r.time },
    { key: 'projectName', width: 150, weak: true, value: (r) => r.projectName },
    {
      key: 'source',
      width: 100,
      filter: 'multi',
      options: Object.entries(syncSources).map(([value, label]) => ({ value, label })),
      value: (r) => r.sourceName,
    },
    { key: 'count', width: 80, align: 'right', sort: true, value: (r) => r.count },
    { key: 'added', width: 72, align: 'right', value: (r) => r.added },
    { key: 'changed', width: 72, align: 'right', value: (r) => r.changed },
    { key: 'missing', width: 84, align: 'right', value: (r) => r.missing },
    {
      key: 'failed',
      width: 90,
      align: 'right',
      filter: 'single',
      options: [
        { value: 'true', label: '有失败' },
        { value: 'false', label: '无失败' },
      ],
      value: (r) => (r.failed ? <span className="tone-danger">{r.failed}</span> : 0),
    },
    { key: 'operator', width: 100, value: (r) => r.operator },
  ]
  return (
    <DataTable
      list={list}
      columns={columns}
      name="house-syncs"
      unit="次"
      emptyHint="还没有同步过房屋"
      expand={(row) =>
        row.failures.length === 0 ? (
          <span className="zg-2">没有失败的行</span>
        ) : (
          <ul className="houses-failures">
            {row.failures.map((one) => (
              <li key={one.row}>
                第 {one.row} 行 {one.externalNo}：<span className="tone-danger">{one.reason}</span>
              </li>
            ))}
          </ul>
        )
      }
    />
  )
}
