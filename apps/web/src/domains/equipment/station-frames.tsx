import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import type { listFrames } from '@zhugong/contract/telemetry/wire-endpoints'
import { Card, Empty } from '#kit/feedback.tsx'
import { time } from '#kit/format.ts'
import './equipment.css'

/** Recent frames in both directions; undefined while loading. */
export function StationFrames({ frames }: { frames: OutputFor<typeof listFrames>['list'] | undefined }) {
  return (
    <Card title="最近往来" remark="最近十条" flush>
      {(frames ?? []).slice(0, 10).map((frame) => (
        <div key={frame.id} className="eq-row">
          <span className="zg-2">{time(frame.time)}</span>
          <span>{frame.direction === 'up' ? '上行' : '下行'}</span>
          <b>{frame.kind}</b>
          <code className="eq-cut">{frame.text ?? frame.hex}</code>
          <span className="right" title={frame.hint ?? ''}>
            {frame.resultText}
          </span>
        </div>
      ))}
      {frames?.length === 0 && <Empty small text="没有往来" hint="监测站连上平台后，这里显示收发的报文" />}
    </Card>
  )
}
