import { type AiType, aiTypes, leastConfidence } from '@zhugong/contract/monitoring/video/ai-codes'
import {
  type CameraAi,
  type CameraRules,
  type CameraZone,
  listCameraAi,
  previewCameraAi,
  setCameraAi,
} from '@zhugong/contract/monitoring/video/camera-ai'
import { Button, Input } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { Notice } from '#kit/feedback.tsx'
import { ClockInput, NumberKnob } from '#kit/inputs.tsx'
import { PageDrawer } from '#kit/overlay.tsx'
import { lastWords } from '#kit/settings-shell.tsx'
import { DrawnCorners } from '../drawn-corners.tsx'
import '../family.css'
import { clockOf, leastOf, minuteOf, previewWords, problemOf, withLeast } from './camera-rules.ts'
import { useStream } from './stream.ts'
import './video.css'

type Corner = CameraZone['points'][number]
const digits = 3
const tidy = (n: number) => Number(Math.min(1, Math.max(0, n)).toFixed(digits))
/** Initial zone for keyboard users: the whole picture, to be edited by numbers. */
const wholePicture: Corner[] = [
  [0, 0],
  [1, 0],
  [1, 1],
  [0, 1],
]
const refreshed = [listCameraAi]

/** AI settings of a camera: confidence by type, and zones and times for intrusion. */
export function CameraAiDrawer({ camera, onClose }: { camera: CameraAi; onClose: () => void }) {
  const [rules, setRules] = useState<CameraRules>({ thresholds: camera.thresholds, zones: camera.zones })
  const act = useAct(setCameraAi, { success: '已保存，一分钟内生效', refreshes: refreshed, onDone: onClose })
  const problem = problemOf(rules)
  const at = { params: { id: camera.deviceId }, query: { projectCode: camera.projectCode } }
  const preview = useCall(
    previewCameraAi,
    { ...at, body: rules },
    { quiet: true, keepPrevious: true, enabled: camera.editable && problem === undefined },
  )
  const changed = JSON.stringify(rules) !== JSON.stringify({ thresholds: camera.thresholds, zones: camera.zones })
  return (
    <PageDrawer
      open
      size={760}
      title={`${camera.deviceName} 阈值与区域`}
      onClose={onClose}
      extra={
        camera.editable && (
          <Button
            type="primary"
            disabled={!changed || problem !== undefined}
            loading={act.running}
            onClick={() => void act.run({ ...at, body: { ...rules, version: camera.version } })}
          >
            保存
          </Button>
        )
      }
    >
      <div className="vid-rules">
        <p className="zg-2">
          识别由摄像机或算法盒完成，这里不改盒内设置；平台按下面的阈值与区域决定是否告警，达不到的只留存并显示为灰色。
          {lastWords({ by: camera.updateBy, at: camera.updateTime })}
        </p>
        {camera.editable ? (
          <Notice tone={problem ? 'warning' : 'info'}>
            <span role="status">{problem ?? (preview.data ? previewWords(preview.data) : '正在试算')}</span>
            {problem === undefined && preview.data && preview.data.types.length > 0 && (
              <div className="zg-2">
                {preview.data.types
                  .map(
                    ({ type, fewer, more }) =>
                      `${aiTypes[type as AiType] ?? type} ${fewer > 0 ? `少 ${fewer}` : ''}${more > 0 ? ` 多 ${more}` : ''}`,
                  )
                  .join('，')}
              </div>
            )}
          </Notice>
        ) : (
          <Notice tone="info">由项目或其企业的安全员设置，这里只能查看</Notice>
        )}
        <h3>阈值</h3>
        <div className="vid-thresholds">
          {(Object.entries(aiTypes) as [AiType, string][]).map(([type, label]) => (
            <div key={type}>
              <span>{label}</span>
              {camera.editable ? (
                <NumberKnob
                  label={`${label}阈值`}
                  unit=""
                  digits={2}
                  range={[leastConfidence, 0.99]}
                  value={leastOf(rules, type)}
                  fallback={leastConfidence}
                  onChange={(least) => setRules(withLeast(rules, type, least))}
                />
              ) : (
                <b>{leastOf(rules, type)}</b>
              )}
            </div>
          ))}
        </div>
        <h3>入侵区域</h3>
        <Zones camera={camera} zones={rules.zones} onChange={camera.editable ? (zones) => setRules({ ...rules, zones }) : undefined} />
      </div>
    </PageDrawer>
  )
}

interface ZonesProps {
  camera: CameraAi
  zones: readonly CameraZone[]
  onChange: ((zones: CameraZone[]) => void) | undefined
}

function Zones({ camera, zones, onChange }: ZonesProps) {
  const [chosen, setChosen] = useState(0)
  const zone = zones[chosen]
  const put = (next: Partial<CameraZone>) => onChange?.(zones.map((one, i) => (i === chosen ? { ...one, ...next } : one)))
  return (
    <>
      <p className="zg-2">
        {zones.length === 0 ? '没有划区域：画面任何位置的区域入侵都告警。' : '只有框的底边或中心落在区域内、且在时段内的区域入侵才告警。'}
      </p>
      <div className="vid-zone-bar">
        {zones.map((one, i) => (
          <Button
            key={`${i}`}
            size="small"
            aria-pressed={i === chosen}
            type={i === chosen ? 'primary' : 'default'}
            onClick={() => setChosen(i)}
          >
            {one.name || `区域 ${i + 1}`}
          </Button>
        ))}
        {onChange && (
          <Button
            size="small"
            onClick={() => {
              onChange([...zones, { name: `区域 ${zones.length + 1}`, points: [], fromMinute: null, untilMinute: null }])
              setChosen(zones.length)
            }}
          >
            画一个区域
          </Button>
        )}
      </div>
      <div className="vid-zone">
        <ZonePicture
          deviceId={camera.deviceId}
          zones={zones}
          chosen={chosen}
          onCorner={onChange && zone ? (corner) => put({ points: [...zone.points, corner] }) : undefined}
        />
        {zone && onChange && (
          <div className="side">
            <div className="row">
              名称
              <Input aria-label="区域名称" maxLength={20} value={zone.name} onChange={(event) => put({ name: event.target.value })} />
            </div>
            <div className="row">
              开始
              <ClockInput
                aria-label="开始时间"
                value={clockOf(zone.fromMinute)}
                onChange={(clock) => put({ fromMinute: minuteOf(clock) })}
              />
            </div>
            <div className="row">
              结束
              <ClockInput
                aria-label="结束时间"
                value={clockOf(zone.untilMinute)}
                onChange={(clock) => put({ untilMinute: minuteOf(clock) })}
              />
            </div>
            <p className="zg-2">不填为全天，可跨零点。在画面上依次点出角点；坐标为画面宽高的比例，左上角为 0, 0</p>
            <DrawnCorners
              value={zone.points}
              onChange={(points) => put({ points: points.map(([x, y]): Corner => [tidy(x), tidy(y)]) })}
              nameOf={(no) => [`角点 ${no} 横`, `角点 ${no} 纵`]}
              precision={digits}
              next={() => zone.points.at(-1) ?? [0.5, 0.5]}
            />
            <Button onClick={() => put({ points: wholePicture })}>整个画面</Button>
            <Button
              danger
              onClick={() => {
                onChange(zones.filter((_, i) => i !== chosen))
                setChosen(0)
              }}
            >
              删除这个区域
            </Button>
          </div>
        )}
      </div>
    </>
  )
}

function ZonePicture({
  deviceId,
  zones,
  chosen,
  onCorner,
}: {
  deviceId: string
  zones: readonly CameraZone[]
  chosen: number
  onCorner: ((corner: Corner) => void) | undefined
}) {
  const stream = useStream(deviceId, { still: true })
  const [broken, setBroken] = useState(false)
  return (
    <div className="vid-shot" data-large="true">
      {stream.snapshotUrl && !broken ? (
        <img src={stream.snapshotUrl} alt="摄像机画面" onError={() => setBroken(true)} />
      ) : (
        <span className="none">{stream.why ?? '没有画面'}，可按坐标填写</span>
      )}
      <svg
        viewBox="0 0 100 100"
        preserveAspectRatio="none"
        role="img"
        aria-label={`画面上的区域 ${zones.length} 个`}
        className={onCorner ? 'draws' : ''}
        // Pointers add corners; keyboard users have the numbers beside.
        onPointerUp={(event) => {
          const box = event.currentTarget.getBoundingClientRect()
          onCorner?.([tidy((event.clientX - box.left) / box.width), tidy((event.clientY - box.top) / box.height)])
        }}
      >
        <ZoneShapes zones={zones} chosen={chosen} />
      </svg>
    </div>
  )
}

/** Zones over the picture in a 100 by 100 view box. */
export function ZoneShapes({ zones, chosen }: { zones: readonly CameraZone[]; chosen?: number }) {
  return zones.map((zone, i) => (
    <g key={`${i}`} className="vid-zone-shape" data-chosen={i === chosen}>
      <title>{zone.name}</title>
      <polygon points={zone.points.map(([x, y]) => `${x * 100},${y * 100}`).join(' ')} />
      {i === chosen && zone.points.map(([x, y], n) => <circle key={`${n}`} cx={x * 100} cy={y * 100} r={1} />)}
    </g>
  ))
}
