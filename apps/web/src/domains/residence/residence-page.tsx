import { PlusOutlined } from '@ant-design/icons'
import { createRooms, listResidents, listRooms, moveOutLeft, type RoomRow, residentList, roomList } from '@zhugong/contract/residence/calls'
import { usages } from '@zhugong/contract/residence/rules'
import { Button, Segmented } from 'antd'
import { Link } from 'react-router'
import { useAct, useCall } from '#kit/call.ts'
import { Can, useCan } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { useDicts } from '#kit/dicts.ts'
import { Card, Empty, FigureStrip, Known, Tag } from '#kit/feedback.tsx'
import { thousands } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { useProjectCode, useProjectScope } from '#kit/me.ts'
import { hrefOf, useGo, usePageQuery } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { paths } from './residence-words.tsx'
import './residence.css'

/** Which beds are free, who sleeps where, who has left the project but not the room? */
export default function ResidencePage() {
  const view = usePageQuery().get('view')
  const oneProject = useProjectCode() !== '*'
  const manages = useCan(listResidents)
  if (view === 'people' && manages) return <People />
  return view === 'table' || !oneProject ? <Rooms /> : <Tiles />
}

function Actions() {
  const go = useGo()
  return (
    <Can call={createRooms}>
      <Button type="primary" icon={<PlusOutlined />} onClick={() => go(paths.form)}>
        新建房间
      </Button>
    </Can>
  )
}

function Views({ view }: { view: 'tiles' | 'table' | 'people' }) {
  const go = useGo()
  const manages = useCan(listResidents)
  const oneProject = useProjectCode() !== '*'
  return (
    <Segmented
      options={[
        ...(oneProject ? [{ value: 'tiles', label: '房态图' }] : []),
        { value: 'table', label: '房间表' },
        ...(manages ? [{ value: 'people', label: '人员' }] : []),
      ]}
      value={view}
      onChange={(next) => go(paths.list, next === 'tiles' ? {} : { view: next })}
    />
  )
}

function Strip() {
  const scope = useProjectScope()
  const { data } = useCall(listRooms, { query: { ...scope, page: 1, size: 1 } }, { quiet: true, keepPrevious: true })
  const manages = useCan(listResidents)
  const counts = data?.counts
  return (
    <FigureStrip
      loading={!data}
      items={[
        { label: '床位', value: thousands(counts?.beds), unit: '张' },
        { label: '在住', value: thousands(counts?.living), unit: '人', href: manages ? `${paths.list}?view=people` : undefined },
        { label: '空床', value: thousands(counts?.free), unit: '张' },
        {
          label: '已退场未退宿',
          value: thousands(counts?.leftOver),
          unit: '人',
          tone: counts?.leftOver ? 'warning' : undefined,
          href: manages ? `${paths.list}?view=people&leftOver=true` : undefined,
        },
        { label: '在场未登记住处', value: thousands(counts?.unhoused), unit: '人' },
      ]}
    />
  )
}

const mostTiles = 1000
/** Rooms of a building, floor by floor, the highest above. */
function Tiles() {
  const scope = useProjectScope()
  const go = useGo()
  const query = usePageQuery()
  const read = useCall(listRooms, { query: { ...scope, page: 1, size: mostTiles } }, { quiet: true, keepPrevious: true })
  const buildings = read.data?.buildings ?? []
  const building = query.get('building') ?? buildings[0] ?? ''
  const own = (read.data?.list ?? []).filter((one) => one.buildingName === building)
  const floors = [...Map.groupBy(own, (one) => one.floor)].sort(([a], [b]) => b - a)
  return (
    <ListShell actions={<Actions />} strip={<Strip />}>
      <div className="residence-bar">
        <Views view="tiles" />
        {buildings.length > 0 && (
          <Segmented options={buildings} value={building} onChange={(next) => go(paths.list, { building: String(next) })} />
        )}
        <MoveOut left={read.data?.counts.leftOver} />
      </div>
      <Known of={read} rows={6}>
        {floors.map(([floor, rooms]) => (
          <Card key={floor} title={`${building} ${floor} 层`}>
            <div className="residence-tiles">
              {rooms.map((room) => (
                <Tile key={room.id} room={room} />
              ))}
            </div>
          </Card>
        ))}
        {read.data && floors.length === 0 && <Empty text="还没有登记房间" hint="从“新建房间”按楼层批量登记" />}
      </Known>
    </ListShell>
  )
}

function Tile({ room }: { room: RoomRow }) {
  return (
    <Link
      className="residence-tile"
      data-warns={room.warnings.length > 0 ? '' : undefined}
      to={hrefOf(paths.detail, { id: room.id })}
      title={room.warnings.join('；')}
    >
      <b>{room.roomNo}</b>
      <span>{room.beds > 0 ? `${room.occupied} / ${room.beds}` : room.typeName}</span>
      <span className="zg-2">{room.usage ? usages[room.usage] : ''}</span>
      {room.warnings.length > 0 && <span className="tone-danger">{room.warnings[0]}</span>}
    </Link>
  )
}

function MoveOut({ left }: { left: number | undefined }) {
  const scope = useProjectScope()
  const act = useAct(moveOutLeft, { success: ({ count }) => `已退宿 ${count} 人` })
  if (!left || scope.projectCode === '*') return null
  return (
    <Can call={moveOutLeft}>
      <Button
        loading={act.running}
        onClick={() =>
          void act.afterRequesting(
            { thing: `为 ${left} 名已退场人员退宿`, consequence: '床位空出，住宿记录保留。', verb: '批量退宿' },
            { query: scope },
          )
        }
      >
        已退场批量退宿
      </Button>
    </Can>
  )
}

function Rooms() {
  const go = useGo()
  const scope = useProjectScope()
  const projectCode = useProjectCode()
  const dicts = useDicts('residenceType')
  const list = useListPage(roomList, { scope, own: ['view', 'building'] })
  const all: ColumnOf<typeof roomList>[] = [
    { key: 'roomNo', width: 96, locked: true, filter: 'text', sort: true, value: (r) => r.roomNo },
    { key: 'projectName', width: 160, value: (r) => r.projectName },
    { key: 'buildingName', width: 100, filter: 'text', value: (r) => r.buildingName },
    { key: 'type', width: 110, filter: 'multi', options: dicts.options('residenceType'), value: (r) => r.typeName },
    { key: 'area', width: 100, align: 'right', sort: true, value: (r) => r.area },
    { key: 'beds', width: 80, align: 'right', sort: true, value: (r) => r.beds },
    { key: 'occupied', width: 84, align: 'right', keeps: true, filter: 'numeric-range', value: (r) => r.occupied },
    {
      key: 'perPerson',
      width: 96,
      align: 'right',
      value: (r) => r.perPerson !== null && <span className={r.perPerson < 2.5 ? 'tone-danger' : undefined}>{r.perPerson}</span>,
    },
    { key: 'usage', width: 76, value: (r) => (r.usage ? usages[r.usage] : null) },
    { key: 'manager', width: 96, weak: true, value: (r) => r.manager },
    { key: 'lastCheck', width: 136, sort: true, value: (r) => r.lastCheck && <span className="zg-num">{r.lastCheck.slice(0, 16)}</span> },
    {
      key: 'warnings',
      width: 220,
      keeps: true,
      value: (r) =>
        r.warnings.map((one) => (
          <Tag key={one} tone="warning">
            {one}
          </Tag>
        )),
    },
  ]
  return (
    <ListShell actions={<Actions />} strip={<Strip />}>
      <DataTable
        list={list}
        columns={projectCode === '*' ? all : all.filter((column) => column.key !== 'projectName')}
        unit="间"
        search={{ key: 'roomNo', placeholder: '房间号' }}
        toolbar={<Views view="table" />}
        onRow={(row) => go(paths.detail, { id: row.id })}
        filterWords={{
          free: { title: '床位', words: { true: '有空床' } },
          crowded: { title: '人均', words: { true: '不足 2.5 ㎡' } },
          leftOver: { title: '人员', words: { true: '有人已退场' } },
        }}
        emptyHint="从“新建房间”按楼层批量登记"
        actions={(row) => [{ label: '查看', href: hrefOf(paths.detail, { id: row.id }) }]}
      />
    </ListShell>
  )
}

function People() {
  const go = useGo()
  const scope = useProjectScope()
  const projectCode = useProjectCode()
  const list = useListPage(residentList, { scope, own: ['view', 'building'] })
  const all: ColumnOf<typeof residentList>[] = [
    { key: 'name', width: 110, locked: true, filter: 'text', sort: true, value: (r) => r.name },
    { key: 'projectName', width: 160, value: (r) => r.projectName },
    { key: 'teamName', width: 160, filter: 'text', value: (r) => r.teamName },
    { key: 'room', width: 140, filter: 'text', filterKey: 'buildingName', value: (r) => r.room },
    { key: 'bed', width: 76, align: 'right', value: (r) => r.bed },
    { key: 'fromDay', width: 120, sort: true, value: (r) => <span className="zg-num">{r.fromDay}</span> },
    {
      key: 'leftOver',
      width: 140,
      keeps: true,
      value: (r) => <Tag tone={r.leftOver ? 'warning' : 'fine'}>{r.leftOver ? '已退场未退宿' : '在住'}</Tag>,
    },
  ]
  return (
    <ListShell actions={<Actions />} strip={<Strip />}>
      <DataTable
        list={list}
        columns={projectCode === '*' ? all : all.filter((column) => column.key !== 'projectName')}
        unit="人"
        search={{ key: 'name', placeholder: '姓名' }}
        toolbar={<Views view="people" />}
        onRow={(row) => go(paths.detail, { id: row.roomId })}
        filterWords={{ leftOver: { title: '状态', words: { true: '已退场未退宿' } } }}
        emptyHint="在房态图中选择房间办理入住"
        actions={(row) => [{ label: '查看房间', href: hrefOf(paths.detail, { id: row.roomId }) }]}
      />
    </ListShell>
  )
}
