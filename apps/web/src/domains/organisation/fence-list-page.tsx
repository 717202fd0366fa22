import { DownloadOutlined, PlusOutlined } from '@ant-design/icons'
import { ringsOf } from '@zhugong/contract/organisation/fence'
import {
  type FenceRow,
  fenceList,
  fenceStates,
  fenceTypes,
  listFences,
  setDefaultFences,
} from '@zhugong/contract/organisation/fence-overview'
import { auditAreaRule } from '@zhugong/contract/organisation/fences'
import { isPlaced } from '@zhugong/contract/organisation/place'
import { Button, InputNumber } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { saveBlob, useAct, useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { FigureStrip, Notice, Tag, type Tone } from '#kit/feedback.tsx'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { SiteMap } from '#kit/map.tsx'
import { PageDrawer, PageModal } from '#kit/overlay.tsx'
import { hrefOf } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { FenceOf } from './fence-drawer.tsx'
import './organisation.css'

const tones: Record<string, Tone> = { odd: 'danger', waiting: 'warning', none: 'neutral', fine: 'fine' }
const one = '/system/project/electronicFence'

/** Fences of all projects: missing, unusual, or with many punches outside. */
export default function FenceListPage() {
  const list = useListPage(fenceList, { defaultSort: 'state' })
  const figures = useCall(listFences, { query: { size: 1 } }, { quiet: true, select: (data) => data.figures })
  const [chosen, setChosen] = useState<string>()
  const [deciding, setDeciding] = useState<FenceRow>()
  const [filling, setFilling] = useState(false)
  const f = figures.data
  const columns: ColumnOf<typeof fenceList>[] = [
    {
      key: 'projectName',
      width: 200,
      locked: true,
      sort: true,
      filter: 'text',
      value: (row) => <Link to={hrefOf(one, { projectCode: row.projectCode })}>{row.projectName}</Link>,
    },
    {
      key: 'state',
      width: 92,
      sort: true,
      filter: 'multi',
      options: Object.entries(fenceStates).map(([value, label]) => ({ value, label })),
      value: (row) => (
        <span title={row.why ?? undefined}>
          <Tag tone={tones[row.state] ?? 'neutral'}>{row.stateName}</Tag>
        </span>
      ),
    },
    { key: 'areaCode', width: 110, weak: true, filter: 'area-cascader', value: (row) => row.areaName },
    {
      key: 'fenceType',
      weak: true,
      width: 90,
      filter: 'multi',
      options: Object.entries(fenceTypes).map(([value, label]) => ({ value, label })),
      value: (row) => row.fenceType && fenceTypes[row.fenceType as '1' | '2'],
    },
    { key: 'hectares', width: 110, align: 'right', sort: true, filter: 'numeric-range', value: (row) => row.hectares?.toFixed(2) },
    { key: 'offset', width: 120, align: 'right', sort: true, filter: 'numeric-range', value: (row) => row.offset },
    { key: 'outsideRate', width: 130, align: 'right', sort: true, filter: 'numeric-range', value: (row) => row.outsideRate },
    { key: 'punchRate', width: 130, align: 'right', sort: true, filter: 'numeric-range', value: (row) => row.punchRate },
    { key: 'updateTime', width: 140, sort: true, value: (row) => row.updateTime },
  ]
  const drawn = list.rows.filter((row) => row.areaRule)
  return (
    <ListShell
      strip={
        <FigureStrip
          loading={!f}
          items={[
            { label: '无围栏', value: f?.none, unit: '个', tone: f?.none ? 'warning' : undefined },
            { label: '待审', value: f?.waiting, unit: '个', tone: f?.waiting ? 'warning' : undefined },
            { label: '面积或位置异常', value: f?.odd, unit: '个', tone: f?.odd ? 'danger' : undefined },
            { label: '围栏外打卡率 > 5%', value: f?.outside, unit: '个', remark: '近 30 日移动打卡' },
          ]}
        />
      }
      actions={
        <Can call={setDefaultFences}>
          <Button icon={<PlusOutlined />} onClick={() => setFilling(true)}>
            设默认围栏
          </Button>
        </Can>
      }
      titleActions={
        <Button icon={<DownloadOutlined />} disabled={drawn.length === 0} onClick={() => saveGeoJson(drawn)}>
          本页 GeoJSON
        </Button>
      }
      right={
        <section className="zg-card org-fence-aside" aria-label="围栏分布">
          <SiteMap
            label="围栏分布"
            height="100%"
            selected={chosen}
            onPoint={setChosen}
            areas={drawn.flatMap((row) =>
              ringsOf(row.areaRule).map((ring, i) => ({ id: `${row.projectCode}.${i}`, ring, kind: 'fence' as const })),
            )}
            points={list.rows.filter(isPlaced).map((row) => ({
              id: row.projectCode,
              at: [row.lng, row.lat],
              state: row.state === 'odd' ? 'alarm' : row.state === 'fine' ? 'normal' : 'warning',
              label: row.projectName,
              size: 6,
            }))}
          />
        </section>
      }
    >
      <DataTable
        list={list}
        columns={columns}
        rowKey="projectCode"
        actions={(row) => [row.waiting && { label: '审定', needs: auditAreaRule, onClick: () => setDeciding(row) }]}
      />
      {deciding && (
        <PageDrawer open size={1120} title={deciding.projectName} onClose={() => setDeciding(undefined)} styles={{ body: { padding: 12 } }}>
          <FenceOf projectCode={deciding.projectCode} />
        </PageDrawer>
      )}
      {filling && <DefaultFences onClose={() => setFilling(false)} onDone={list.refresh} />}
    </ListShell>
  )
}

function saveGeoJson(rows: readonly FenceRow[]): void {
  const features = rows.map((row) => ({
    type: 'Feature',
    properties: { name: row.projectName, projectCode: row.projectCode },
    geometry: {
      type: 'MultiPolygon',
      coordinates: ringsOf(row.areaRule).map((ring) => [[...ring, ...ring.slice(0, 1)]]),
    },
  }))
  const text = JSON.stringify({ type: 'FeatureCollection', features })
  saveBlob({ blob: new Blob([text], { type: 'application/geo+json' }), fileName: '电子围栏.geojson' })
}

/** Sets default fences; first previews the affected projects, then applies. */
function DefaultFences({ onClose, onDone }: { onClose: () => void; onDone: () => void }) {
  const [radius, setRadius] = useState(300)
  const [seen, setSeen] = useState<{ radius: number; names: string[]; unplaced: number }>()
  const act = useAct(setDefaultFences, { success: false })
  const look = async () => {
    const answer = await act.run({ body: { radius, apply: false } })
    if (answer) setSeen({ radius, names: answer.data.list.map((p) => p.name), unplaced: answer.data.unplaced })
  }
  const apply = async () => {
    if (await act.run({ body: { radius, apply: true } })) {
      onDone()
      onClose()
    }
  }
  const ready = seen?.radius === radius && seen.names.length > 0
  return (
    <PageModal
      open
      width={520}
      title="为没有围栏的项目设默认围栏"
      okText={ready ? `为 ${seen.names.length} 个项目设置` : '试算'}
      okButtonProps={{ loading: act.running }}
      onOk={() => void (ready ? apply() : look())}
      onCancel={onClose}
    >
      <p>
        以项目地址为圆心，半径{' '}
        <InputNumber aria-label="半径（米）" min={50} max={5000} value={radius} onChange={(n) => setRadius(n ?? 300)} /> 米
      </p>
      {seen && (
        <Notice tone={seen.names.length ? 'info' : 'warning'}>
          {seen.names.length ? `将设置：${seen.names.join('、')}` : '没有可设置的项目'}
          {seen.unplaced > 0 && `；${seen.unplaced} 个项目没有坐标，不在其内`}
        </Notice>
      )}
    </PageModal>
  )
}
