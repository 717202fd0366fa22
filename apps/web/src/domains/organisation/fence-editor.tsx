import { AimOutlined, DeleteOutlined, DownloadOutlined, ImportOutlined, UndoOutlined } from '@ant-design/icons'
import { hectaresOf, maxRings, metersOutside } from '@zhugong/contract/organisation/fence'
import { Button, Input, InputNumber, Segmented } from 'antd'
import { lazy, Suspense, useRef, useState } from 'react'
import { Notice } from '#kit/feedback.tsx'
import type { LngLat } from '#kit/geo.ts'
import { useMapGround } from '#kit/map-ground.ts'
import { notify } from '#kit/notify.ts'
import type { Punch, Tool, Underlay } from './fence-canvas.tsx'
import { type Draft, emptyDraft, firstRadius, outlineOf, problemOf, ringFrom, ringsFromGeoJson, textOf, toGeoJson } from './fence-draft.ts'
import './organisation.css'

const Canvas = lazy(() => import('./fence-canvas.tsx').then((file) => ({ default: file.FenceCanvas })))

export interface FenceEditorProps {
  draft: Draft
  onChange: (draft: Draft) => void
  name: string
  address: LngLat | undefined
  underlays: readonly Underlay[]
  /** Outline of the site plan, if there is one. */
  plan?: readonly LngLat[] | undefined
  readOnly?: boolean
  /** Positions of sign-ins by phone. */
  punches?: readonly Punch[]
}

const noPunches: readonly Punch[] = []
const tools: { value: Tool; label: string }[] = [
  { value: 'edit', label: '拖动修改' },
  { value: 'draw', label: '绘制一圈' },
  { value: 'circle', label: '圆形' },
]
const hints: Record<Tool, string> = {
  edit: '拖动角点移动，拖动边线增加角点，按住 Alt 点角点删除',
  draw: '依次点出角点，双击或回到起点结束；靠近已有边线自动吸附',
  circle: '点击地图确定圆心，半径在右侧填写',
}

/** Edits a fence by drawing or by coordinates: rings or a circle, with area and error messages. */
export function FenceEditor({ draft, onChange, name, address, underlays, plan, readOnly = false, punches = noPunches }: FenceEditorProps) {
  const ground = useMapGround()
  const [tool, setTool] = useState<Tool>(draft.circle ? 'circle' : draft.rings.length > 0 || readOnly ? 'edit' : 'draw')
  const [marked, setMarked] = useState<number>()
  const [tried, setTried] = useState<LngLat>()
  const past = useRef<Draft[]>([])
  const change = (next: Draft) => {
    past.current = [...past.current.slice(-49), draft]
    onChange(next)
  }
  const undo = () => {
    const before = past.current.at(-1)
    past.current = past.current.slice(0, -1)
    if (before) onChange(before)
  }
  const addRing = (ring: readonly LngLat[]) =>
    draft.rings.length >= maxRings ? notify.warning(`围栏最多 ${maxRings} 圈`) : change({ rings: [...draft.rings, ring] })
  const choose = (next: Tool) => {
    setTool(next)
    if (next !== 'circle' && draft.circle) change(emptyDraft)
  }
  const outline = outlineOf(draft)
  const off = tried && metersOutside(tried, outline)
  const problem = problemOf(draft)
  const position = () => {
    if (!navigator.geolocation) return notify.warning('浏览器不能定位，请用 https 打开')
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => setTried([coords.longitude, coords.latitude]),
      () => notify.warning('没有取得位置，请检查浏览器的定位权限'),
    )
  }
  return (
    <div className="org-fence">
      <div className="org-fence-left">
        {!readOnly && (
          <div className="org-fence-bar">
            <Segmented<Tool> value={tool} options={tools} onChange={choose} aria-label="绘制方式" />
            <Button icon={<UndoOutlined />} disabled={past.current.length === 0} onClick={undo}>
              撤销
            </Button>
            {plan && <Button onClick={() => addRing(plan)}>取平面图轮廓</Button>}
            <ImportButton onRings={(rings) => change({ rings })} />
            <Button icon={<DeleteOutlined />} disabled={draft.rings.length === 0 && !draft.circle} onClick={() => change(emptyDraft)}>
              清空
            </Button>
            <span className="zg-2">{hints[tool]}</span>
          </div>
        )}
        <Suspense fallback={<div role="status" aria-label="地图加载中" className="org-fence-map" />}>
          <Canvas
            draft={draft}
            underlays={underlays}
            address={address}
            tried={tried}
            tool={tool}
            marked={marked}
            readOnly={readOnly}
            punches={punches}
            ground={ground}
            onRings={(rings) => change({ rings })}
            onCentre={(center) => change({ rings: [], circle: { center, radius: draft.circle?.radius ?? firstRadius } })}
          />
        </Suspense>
        <div className="org-fence-legend zg-2">
          {underlays.map(({ name: called, tone }) => (
            <span key={called} className={`org-fence-key org-fence-${tone}`}>
              {called}
            </span>
          ))}
          <span className="org-fence-key org-fence-drawn">{readOnly ? '所选围栏' : '正在绘制'}</span>
          {address && <span className="org-fence-key org-fence-address">项目地址</span>}
          {punches.length > 0 && <span>圆点为移动打卡：绿色在围栏内，红色在围栏外</span>}
        </div>
      </div>
      <div className="org-fence-right">
        <div className="org-fence-sum">
          <b>{hectaresOf(outline).toFixed(2)}</b> 公顷
          <span className="zg-2">{draft.circle ? '圆形' : draft.rings.length > 0 ? `${draft.rings.length} 圈` : '未设围栏'}</span>
        </div>
        {problem && <Notice tone="danger">{problem}</Notice>}
        {draft.circle && (
          <div className="org-fence-circle">
            圆心 {textOf([draft.circle.center])}，半径
            <InputNumber
              aria-label="半径（米）"
              min={50}
              max={5000}
              disabled={readOnly}
              value={draft.circle.radius}
              onChange={(radius) => draft.circle && radius && change({ rings: [], circle: { ...draft.circle, radius } })}
            />
            米
          </div>
        )}
        {draft.rings.map((ring, i) => (
          <RingRow
            key={i}
            index={i}
            ring={ring}
            open={marked === i}
            readOnly={readOnly}
            onOpen={() => setMarked(marked === i ? undefined : i)}
            onChange={(next) => change({ rings: draft.rings.map((one, at) => (at === i ? next : one)) })}
            onRemove={() => {
              setMarked(undefined)
              change({ rings: draft.rings.filter((_, at) => at !== i) })
            }}
          />
        ))}
        <div className="org-fence-foot">
          <Button size="small" icon={<AimOutlined />} disabled={outline.length === 0} onClick={position}>
            我的位置测试
          </Button>
          <Button
            size="small"
            icon={<DownloadOutlined />}
            disabled={outline.length === 0}
            href={`data:application/geo+json;charset=utf-8,${encodeURIComponent(toGeoJson(draft, name))}`}
            download={`${name}-电子围栏.geojson`}
          >
            导出
          </Button>
        </div>
        {off !== undefined && off !== null && (
          <Notice tone={off === 0 ? 'fine' : 'warning'}>
            {off === 0 ? '当前位置在围栏内，移动打卡计入考勤' : `当前位置在围栏外 ${Math.round(off)} 米，移动打卡将转为待核`}
          </Notice>
        )}
      </div>
    </div>
  )
}

interface RingRowProps {
  index: number
  ring: readonly LngLat[]
  open: boolean
  readOnly: boolean
  onOpen: () => void
  onChange: (ring: readonly LngLat[]) => void
  onRemove: () => void
}

/** One ring with its corners as text, for input from a survey or by keyboard. */
function RingRow({ index, ring, open, readOnly, onOpen, onChange, onRemove }: RingRowProps) {
  const [fault, setFault] = useState<string>()
  const take = (text: string) => {
    if (text === textOf(ring)) return setFault(undefined)
    const read = ringFrom(text)
    if (typeof read === 'string') return setFault(read)
    setFault(undefined)
    onChange(read)
  }
  return (
    <section className={`org-fence-ring ${open ? 'on' : ''}`}>
      <button type="button" className="zg-bare" aria-expanded={open} onClick={onOpen}>
        第 {index + 1} 圈<span className="zg-2">{ring.length} 个角点</span>
        <b>{hectaresOf([ring]).toFixed(2)} 公顷</b>
      </button>
      {!readOnly && <Button type="text" size="small" icon={<DeleteOutlined />} aria-label={`删除第 ${index + 1} 圈`} onClick={onRemove} />}
      {open && (
        <>
          <Input.TextArea
            key={textOf(ring)}
            rows={6}
            readOnly={readOnly}
            aria-label={`第 ${index + 1} 圈角点，每行经度,纬度`}
            defaultValue={textOf(ring)}
            status={fault ? 'error' : ''}
            onBlur={(event) => take(event.target.value)}
          />
          {fault && <span className="tone-danger">{fault}</span>}
        </>
      )}
    </section>
  )
}

function ImportButton({ onRings }: { onRings: (rings: readonly (readonly LngLat[])[]) => void }) {
  const input = useRef<HTMLInputElement>(null)
  const read = async (file: File | undefined) => {
    if (!file) return
    const rings = ringsFromGeoJson(await file.text())
    if (typeof rings === 'string') return notify.warning(rings)
    onRings(rings)
  }
  return (
    <>
      <Button icon={<ImportOutlined />} onClick={() => input.current?.click()}>
        导入 GeoJSON
      </Button>
      <input
        ref={input}
        type="file"
        accept=".json,.geojson"
        hidden
        onChange={(event) => {
          void read(event.target.files?.[0])
          event.target.value = ''
        }}
      />
    </>
  )
}
