import { getPtz, movePtz, type PtzMove, ptzHoldSeconds, ptzMoves } from '@zhugong/contract/monitoring/video/video'
import { Button } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { Choice } from '#kit/inputs.tsx'

const pad: readonly (PtzMove | undefined)[] = ['upleft', 'up', 'upright', 'left', undefined, 'right', 'downleft', 'down', 'downright']
const arrows: Readonly<Partial<Record<PtzMove, string>>> = {
  upleft: '↖',
  up: '↑',
  upright: '↗',
  left: '←',
  right: '→',
  downleft: '↙',
  down: '↓',
  downright: '↘',
}
const zooms = ['zoomin', 'zoomout'] as const
const none = '这台摄像机没有云台'
const everyMs = 10_000

/** Moves the selected camera while a button is held; one person at a time, whose name others see. */
export function PtzPanel({ deviceId }: { deviceId: string }) {
  const may = useCan(movePtz)
  const state = useCall(getPtz, { query: { deviceId } }, { quiet: true, enabled: may, everyMs })
  const act = useAct(movePtz, { success: false, refreshes: [getPtz] })
  const [moving, setMoving] = useState<PtzMove>()
  // Requests are sent in order, so that a stop never overtakes its move.
  const sent = useRef<Promise<unknown>>(Promise.resolve())
  const send = (body: { move: PtzMove } | { preset: number }) => {
    sent.current = sent.current.then(() => act.run({ body: { deviceId, ...body } }))
  }
  const stop = useRef(() => undefined as unknown)
  stop.current = () => {
    if (moving === undefined) return
    setMoving(undefined)
    send({ move: 'stop' })
  }
  // Stops the camera when the page is left or the window loses focus while a button is held.
  useEffect(() => {
    const halt = () => void stop.current()
    window.addEventListener('blur', halt)
    return () => {
      window.removeEventListener('blur', halt)
      halt()
    }
  }, [])
  const { data } = state
  if (!may || !data || data.why === none) return null
  const others = data.holder !== null && !data.isMine
  const disabled = data.why !== null || others
  const start = (move: PtzMove) => {
    if (moving !== undefined) return
    setMoving(move)
    send({ move })
  }
  const button = (move: PtzMove) => (
    <Button
      key={move}
      size="small"
      disabled={disabled}
      aria-label={`云台${ptzMoves[move]}`}
      onPointerDown={() => start(move)}
      onPointerUp={() => void stop.current()}
      onPointerLeave={() => void stop.current()}
      onKeyDown={(event) => (event.key === 'Enter' || event.key === ' ') && !event.repeat && start(move)}
      onKeyUp={() => void stop.current()}
    >
      {arrows[move] ?? ptzMoves[move]}
    </Button>
  )
  return (
    <>
      <div className="mon-sub">
        云台{' '}
        <span>{others ? `${data.holder} 正在控制` : data.isMine ? `由您控制，停手 ${ptzHoldSeconds} 秒后释放` : '按住转动，松开停止'}</span>
      </div>
      {data.why !== null ? (
        <p className="vid-links">{data.why}</p>
      ) : (
        <div className="vid-ptz">
          <div className="pad">{pad.map((move, i) => (move === undefined ? <span key={String(i)} /> : button(move)))}</div>
          <div className="more">
            {zooms.map(button)}
            {data.presets.length > 0 && (
              <Choice
                aria-label="预置位"
                placeholder="预置位"
                disabled={others}
                value={undefined}
                options={data.presets.map((one) => ({ value: String(one.id), label: one.name }))}
                onChange={(preset) => preset && send({ preset: Number(preset) })}
              />
            )}
          </div>
        </div>
      )}
    </>
  )
}
